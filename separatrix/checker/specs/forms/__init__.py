"""Shared by several oracles: the documented random words, and tasks of one shape."""
