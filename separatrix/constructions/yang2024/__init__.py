"""Yang et al. 2024: dynamic programs and arithmetic on standard, linear and sparse attention."""
