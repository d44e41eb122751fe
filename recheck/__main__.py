"""`python -m recheck [--sample K] FILE...`: one JSON document,
`{"results": [{"file", "covered", "holds", "reason", "strength", "unjudged"}]}`.

`holds` is null where a document is not covered. `unjudged` names fields of a document that holds but about which nothing was checked.
Of a table of languages (`.jsonl`, `.jsonl.gz`) every line is judged, or with --sample that many lines and a few of its sets of weights.
The exit code is 0 where every document is covered and holds, 1 where one is refused, 2 where one is not covered or not readable.
"""

import json
import sys
from pathlib import Path
from typing import Any

from recheck import programs, witnesses
from recheck.reading import read_document
from recheck.table import judge_languages, judge_table
from recheck.verdicts import Refused, Uncovered


def check(path: Path, sample: int = 0) -> dict[str, Any]:
    """What this checker says of one file."""
    result: dict[str, Any] = {"file": str(path), "covered": True, "holds": True, "reason": "", "strength": None, "unjudged": []}
    try:
        if ".jsonl" in path.suffixes:
            result.update(strength="proven", unjudged=judge_table(path, sample))
            return result
        document = read_document(path)
        judges = {"program": programs.judge, "languages": judge_languages, **dict.fromkeys(witnesses.KINDS, witnesses.judge)}
        if document["kind"] not in judges:
            raise Uncovered(f"kind {document['kind']!r}")
        result["strength"], result["unjudged"] = judges[document["kind"]](document, path.parent)
    except Refused as reason:
        result.update(holds=False, reason=str(reason))
    except (Uncovered, OSError, ArithmeticError) as reason:
        result.update(covered=False, holds=None, reason=str(reason))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError) as error:
        result.update(holds=False, reason=f"not of the form that the format asks for: {error!r}")
    return result


def main(arguments: list[str]) -> int:
    """Judge the files and print one JSON document."""
    sample = 0
    at = arguments.index("--sample") if "--sample" in arguments else len(arguments)
    if "".join(arguments[at + 1 : at + 2]).isdigit():
        sample, arguments = int(arguments[at + 1]), arguments[:at] + arguments[at + 2 :]
    results = [check(Path(name), sample) for name in arguments]
    print(json.dumps({"results": results}, indent=1))
    if any(result["holds"] is False for result in results):
        return 1
    return 0 if results and all(result["holds"] for result in results) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
