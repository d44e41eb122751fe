"""Almost orthogonal addresses as codes."""
