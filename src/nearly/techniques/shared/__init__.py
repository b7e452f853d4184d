"""What several techniques share: arcs along paths of two, arcs of copies."""
