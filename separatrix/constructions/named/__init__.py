"""Weights for the architectures that people train, each in its own module: what it takes to remember, by the shape of the state."""
