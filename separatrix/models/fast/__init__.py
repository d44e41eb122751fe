"""Faster ways to compute what a naive text computes, each beside the text it must equal."""
