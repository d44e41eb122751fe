"""One file per kind of page: each gathers its content and names its template."""
