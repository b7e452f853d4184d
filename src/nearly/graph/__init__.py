"""Graphs as arrays: the `Graph` type, building, checking, reordering, reading, writing, generating."""
