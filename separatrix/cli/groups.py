"""The commands in the order in which `--help` shows them, and an example of each."""

from __future__ import annotations

GROUPS: dict[str, dict[str, str]] = {  # title -> command -> example, without `separatrix`
    "Choose an architecture": {
        "plan": "plan associative-recall --length 1000",
        "facts": "facts parity",
        "bounds": "bounds index-lookup --length 1000",
        "ceiling": "ceiling index-lookup --length 1000 --state-bits 500",
        "state": "state mamba-2-64 --length 32768",
        "published": "published mamba2 mistral",
        "decide": "decide '(aa)*'",
    },
    "Try a model": {
        "probe": "probe mixer.py:Mixer --out page.html",
        "attack": "attack runs/mine parity --length 12",
        "collide": "collide runs/mine equality --length 8",
        "capacity": "capacity runs/mine index-lookup --length 20",
        "predict": "predict built parity-next --length 64",
    },
    "Train and measure": {
        "train": "train mamba-2-64 associative-recall --length 8 --out runs/mine",
        "evaluate": "evaluate runs/mine --length 16",
        "frontier": "frontier index-lookup --models lstm-1,tf-1 --lengths 4,8,16",
        "study": "study recall-learned",
        "studies": "studies",
        "sweep": "sweep recall-learned --scale smoke",
        "runs": "runs list",
    },
    "Build and prove": {
        "constructions": "constructions",
        "build": "build index-lookup --length 64 --out built",
        "verify": "verify index-lookup --length 16",
        "check": "check certificate.json",
        "explain": "explain index-lookup --length 4 --input 's39 s34 s31 s46 @4'",
        "profile": "profile equality --length 8",
        "communication": "communication equality --length 8",
        "protocol": "protocol equality/one-layer --length 8",
        "language": "language '(ab)*'",
        "vectors": "vectors --length 1000",
    },
    "Look up": {
        "papers": 'papers 2406.09347 "Theorem 1"',
        "tasks": "tasks",
        "models": "models mamba-2-64",
        "sample": "sample parity --length 8",
        "audit": "audit parity --length 12",
    },
    "Pages": {
        "atlas": "atlas",
        "records": "records --out build/records",
    },
}
EXAMPLES = {command: example for group in GROUPS.values() for command, example in group.items()}
