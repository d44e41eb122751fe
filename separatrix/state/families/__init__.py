"""Families of models: which fields of a config determine which state, in which layer."""
