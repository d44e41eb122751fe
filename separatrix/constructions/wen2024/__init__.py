"""Constructions of wen2024: chains of thought, in-context retrieval and hybrids."""
