"""Communication matrices, fooling sets, ranks and what follows from them."""
