"""`python -m nearly` is the command line."""

from nearly.cli.main import main

if __name__ == "__main__":
    main()
