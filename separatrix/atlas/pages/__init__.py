"""One file per kind of page: each gathers what it shows and names its template."""
