"""Kinds of layer state, one file each: the arithmetic is here, families only choose the fields."""
