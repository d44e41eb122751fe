"""What is computed once and stored as JSON: profiles, audits, traces, rows. The atlas reads it."""
