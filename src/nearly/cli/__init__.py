"""The command line: one file per command, options built from the functions they call."""
