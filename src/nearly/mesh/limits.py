"""What a mesh may hold: coordinates whose fourth powers can be computed, triangles that records can number."""

LARGEST, SMALLEST = 1e70, 1e-60
MOST_TRIANGLES = 1 << 28
