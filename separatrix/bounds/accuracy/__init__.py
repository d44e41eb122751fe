"""The best accuracy that a given number of state bits allows."""
