"""The papers' tables and figures, one file per paper; every file registers itself with `reproduction`."""
