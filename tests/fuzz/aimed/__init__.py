"""Forgeries that aim: at the ends of number formats, at the constants of the checker, at margins of zero and at invariants."""
