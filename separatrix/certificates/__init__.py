"""Claims about built models, and the certificates that the checker accepts."""
