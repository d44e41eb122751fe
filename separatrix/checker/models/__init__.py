"""Models as certificates describe them: reading the description, and a forward pass of the checker's own."""
