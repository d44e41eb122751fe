"""Families of models: which fields of a config make which state, and in which layer."""
