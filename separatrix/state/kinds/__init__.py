"""Kinds of layer state, one file each: the arithmetic is written here once, families only say which fields enter."""
