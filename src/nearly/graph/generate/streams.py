"""The random streams of the generators: one number for each use, so that no two uses share random bits."""

EDGES, ORDER, INSIDE, ACROSS, REWIRED, SIDES, POINTS, LABELS, COUNTS, WEIGHTS = range(1, 11)
