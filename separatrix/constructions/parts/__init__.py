"""The papers' lemmas as parts of constructions."""
