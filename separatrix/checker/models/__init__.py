"""Models of certificates: reading the description, and the checker's own forward pass."""
