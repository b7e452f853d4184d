"""What algorithms do differently on a GPU: host loops around the same functors; see `nearly.engine.devices`."""
