"""What several oracles share: the documented random words, and tasks of one shape."""
