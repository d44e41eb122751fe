"""`python -m tests.fuzz.aimed --count 200000`: aimed forgeries on one core; prints what came of them and keeps every alarm."""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

from tests.fuzz.aimed.campaign import Tally, campaign
from tests.fuzz.aimed.subjects import subjects

CHUNK = 250


def main() -> int:
    """Run a campaign; exit 1 where an accepted document is false, or the checker is slow or meets an exception."""
    parser = argparse.ArgumentParser(description="forge certificates where checkers fail, judge them, and judge again what is accepted")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first forgery, to go on with a campaign")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where alarms and counts are kept")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    subjects()
    before, start, tally = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.time(), Tally()
    last = chosen.first + chosen.count
    for first in range(chosen.first, last, CHUNK):
        part = campaign(chosen.seed, range(first, min(first + CHUNK, last)))
        tally.add(part)
        for alarm in part.alarms:
            (chosen.out / f"aimed-{alarm['seed']}-{alarm['number']}.json").write_text(json.dumps(alarm, indent=1))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / (1 << 20)  # GB, more than when it began
        counts = f"{tally.forgeries} forgeries, {dict(tally.outcomes)}, judged by {dict(tally.judges)}"
        print(f"{counts}, {time.time() - start:.0f} s, {tally.seconds:.0f} s of a core, {grown:.2f} GB", flush=True)
        if time.time() - start > chosen.seconds:
            break
    print("most frequent refusals: " + "; ".join(f"{words} {count}" for words, count in tally.reasons.most_common(30)))
    for alarm in tally.alarms:
        print(f"{alarm['outcome']}: forgery {alarm['number']} from {alarm['from']}: {alarm['why']:.300}")
    return 1 if tally.alarms or grown > 1 else 0


if __name__ == "__main__":
    raise SystemExit(main())
