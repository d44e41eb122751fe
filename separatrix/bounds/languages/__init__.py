"""Regular languages: automaton, monoid, and what each architecture can do with them."""
