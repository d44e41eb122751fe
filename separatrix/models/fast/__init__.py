"""Faster forms of naive computations, each beside the one it must equal."""
