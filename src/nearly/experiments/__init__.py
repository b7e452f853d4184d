"""Experiments: pictures, comparisons and the papers' tables, as functions."""
