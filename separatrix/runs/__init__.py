"""Runs: training on this machine, with rows and snapshots on disk that a killed process can neither corrupt nor lose."""
