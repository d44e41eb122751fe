"""Constructions outside the four papers."""
