"""One-layer models as two-party protocols, and inputs that collide."""
