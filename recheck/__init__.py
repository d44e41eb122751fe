"""A second checker of certificates: the standard library and python-flint, nothing of the first.

It was written from `docs/certificates.md` and the formulas of the trained modules and tasks.
"""
