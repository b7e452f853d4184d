"""What several algorithms share: sources and paths, weights, labels, turns, orders."""
