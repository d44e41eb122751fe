"""Regular languages as weights of named architectures: one file for each."""
