"""`python -m tests.fuzz --count 1000000`: forgeries by the million, on all cores; prints what came of them and keeps every alarm."""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tests.fuzz.campaign import OUTCOMES, Tally, campaign

CHUNK = 500


def main() -> int:
    """Run a campaign; exit 1 where a forgery passed that is false, or the checker met an exception."""
    parser = argparse.ArgumentParser(description="forge certificates, judge them, and try those that pass")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first forgery, to go on with a campaign")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where alarms and counts are kept")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    tally, start, done = Tally(), time.time(), 0
    with ProcessPoolExecutor(chosen.processes) as pool:
        firsts = range(chosen.first, chosen.first + chosen.count, CHUNK)
        waiting = {pool.submit(campaign, chosen.seed, first, min(CHUNK, chosen.first + chosen.count - first)): first for first in firsts}
        for future in as_completed(waiting):
            try:
                part = future.result()
            except Exception:  # of the campaign itself, not of the checker: say so now, not after the last forgery
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            tally.add(part)
            done += sum(part.counts.values())
            for alarm in part.alarms:
                (chosen.out / f"alarm-{alarm['seed']}-{alarm['number']}.json").write_text(json.dumps(alarm, indent=1))
            _keep(chosen.out / f"counts-{chosen.seed}-{chosen.first}.json", tally, done)
            print(
                f"\r{done - tally.total('unchanged')} forgeries, {tally.total('accepted')} accepted, {len(tally.alarms)} alarms, "
                f"{time.time() - start:.0f} s",
                end="",
                flush=True,
            )
    print()
    kinds = sorted({kind for kind, _ in tally.counts})
    print(f"{'kind':24}" + "".join(f"{outcome:>12}" for outcome in OUTCOMES))
    for kind in kinds:
        print(f"{kind:24}" + "".join(f"{tally.counts[kind, outcome]:>12}" for outcome in OUTCOMES))
    print("most frequent refusals: " + "; ".join(f"{words} {count}" for words, count in tally.reasons.most_common(12)))
    return 1 if tally.alarms else 0


def _keep(path: Path, tally: Tally, done: int) -> None:
    """The counts so far, so that a campaign that is killed has said something."""
    counts = {f"{kind} / {outcome}": count for (kind, outcome), count in sorted(tally.counts.items())}
    forgeries = done - tally.total("unchanged")
    path.write_text(json.dumps({"numbers": done, "forgeries": forgeries, "counts": counts, "alarms": len(tally.alarms)}, indent=1))


if __name__ == "__main__":
    raise SystemExit(main())
