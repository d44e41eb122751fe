"""Finite automata and regular expressions."""
