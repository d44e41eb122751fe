"""Records: results computed once and stored as JSON for the atlas: profiles, audits, traces, rows."""
