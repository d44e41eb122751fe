"""Forgeries by the million: honest certificates, mutated where it hurts and sealed again; whatever passes is tried by other code."""
