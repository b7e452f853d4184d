"""The functions that the NetworkX backend answers, one file per family; each registers itself (see `dispatch`)."""
