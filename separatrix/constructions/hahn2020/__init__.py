"""Constructions of hahn2020."""
