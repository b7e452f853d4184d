"""Betweenness from pairs of vertices drawn at random: the sampler, and the bounds that hold while it goes on."""
