"""What the NetworkX backend answers, one file per family; each function registers itself (see `dispatch`)."""
