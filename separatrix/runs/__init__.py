"""Runs: training on this machine, with rows and snapshots on disk that survive a killed process."""
