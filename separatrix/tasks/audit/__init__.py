"""Second solvers, shortcuts and the audit of a task's data."""
