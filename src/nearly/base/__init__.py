"""What every layer stands on: errors, threads, memory, files, progress, compilation, registries."""
