"""The engine: data-parallel primitives, operators on frontiers, policies, and the one loop that runs rounds."""
