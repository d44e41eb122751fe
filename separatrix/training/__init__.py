"""Training: (model, task, budget, seed) -> rows and snapshots. Nothing here touches the disk or starts a process."""
