"""How random inputs are drawn from a counter."""
