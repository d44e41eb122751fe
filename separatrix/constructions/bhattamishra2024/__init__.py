"""Constructions of the separations between Transformers and recurrent models."""
