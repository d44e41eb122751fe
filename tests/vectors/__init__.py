"""Small documents with the verdict that any checker of this format must reach."""
