"""`BadInput`: the one exception that every room raises for input it cannot use."""


class BadInput(ValueError):
    """One line: what was expected, what was found, and where. The command line turns it into exit code 2."""
