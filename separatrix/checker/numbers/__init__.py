"""Number formats: what each operator of a model computes, exactly or with a bound on its error."""
