"""Formula against real caches, on random configs of every family: python -m tests.state.fuzz [--seeds 5] [--first 0] [FAMILY ...]

Each config is counted as it stands, and once more as transformers saves it; both must equal the bytes of the real tensors.
"""

from __future__ import annotations

import argparse
import json
import sys

import torch

from separatrix.state import config_state
from separatrix.state.from_config import FAMILIES
from tests.state.random_configs import random_config
from tests.state.real_cache import allocated, build, cache_tensors, held

LENGTHS = (1, 3, 7, 21)
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def differences(kind: str, seed: int) -> list[str]:
    """Where formula and cache part, for one config."""
    config = random_config(kind, seed)
    lines = []
    for name, dtype in DTYPES.items():
        model = build(config, dtype)
        saved = {**json.loads(model.config.to_json_string()), "model_type": kind}
        for length in LENGTHS:
            tensors = cache_tensors(model, length)
            real = (held(tensors), allocated(tensors))
            for form, document in (("as it stands", config), ("as saved", saved)):
                counted = config_state(document, length, name)
                if (counted.held, counted.allocated) != real:
                    lines.append(f"{form}, {length} tokens, {name}: formula {counted.held}, {counted.allocated}, cache {real}")
    return [f"{line}  {config}" for line in lines]


def main() -> int:
    """Print what differs; exit code 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=list(FAMILIES))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    chosen = parser.parse_args()
    wrong = 0
    for kind in chosen.families:
        for seed in range(chosen.first, chosen.first + chosen.seeds):
            lines = differences(kind, seed)
            wrong += len(lines)
            print(*(f"{kind}, seed {seed}: {line}" for line in lines), sep="\n", end="\n" if lines else "", flush=True)
    print(f"{len(chosen.families)} families, {chosen.seeds} configs each: {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
