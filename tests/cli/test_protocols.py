"""Constructions as dialogues on the command line, and certificates of profiles."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from separatrix.bounds.communication import dialogues
from separatrix.bounds.protocols import protocol
from separatrix.cli import main
from separatrix.refuters import one_layer_protocol
from tests.cli.calling import answer, refusal

KEYS = {"messages", "sent", "formula", "printed_steps", "claimed", "answer", "direct", "agrees"}


def test_a_dialogue_of_equality_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Uniform attention at length 6: a token of 1 bit, two coordinates of 5 + 3 bits, the answer."""
    document = answer(capsys, "protocol", "equality/one-layer", "--length", "6", "--input", "1 0 1 1 0 0")
    assert set(document) == KEYS
    assert [(m["sender"], m["bits"]) for m in document["messages"]] == [("Bob", 1), ("Alice", 16), ("Bob", 1)]
    assert (document["sent"], document["answer"], document["direct"], document["agrees"]) == (18, 0, 0, True)
    # m = 2, p = 5, f = 3, N = 6, H = 1 by hand: 1 + 10 + 2 (3 + 3) + 2 * 8 + 1 and 5 + 10 + 2 (5 + 3) + 8 * 5
    assert (document["formula"], document["printed_steps"]) == (40, 71)


@pytest.mark.parametrize("alice", ["odd", "even", "first", "1,0,5"])
@pytest.mark.parametrize(("arithmetic", "bits"), [("fixed:20,12", 275), ("float64", 21339), ("float32", 2949)])
def test_index_lookup_is_a_dialogue_over_any_partition(capsys: pytest.CaptureFixture[str], alice: str, arithmetic: str, bits: int) -> None:
    """By hand, 64 symbols and 6 indices, m = 6, 7 tokens: 7 + 6 and 40 + 30 + 6 * 32, or 128 + 2154 + 6 * 3174, or 64 + 304 + 6 * 428."""
    document = answer(capsys, "protocol", "index-lookup", "--length", "6", "--alice", alice, "--arithmetic", arithmetic)
    assert document["agrees"]
    assert document["sent"] == document["formula"] == sum(m["bits"] for m in document["messages"]) == bits
    assert document["answer"] == document["direct"] == 6  # s6 stands at the queried place
    assert {m["sender"] for m in document["messages"]} == {"Alice", "Bob"}


def test_a_dialogue_reads_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protocol", "dyck/one-layer", "--length", "6", "--input", "()[()]", "--alice", "even"]) == 0
    printed = capsys.readouterr().out
    assert (
        "Alice holds positions 1, 3, 5 of 6, counted from 0, Bob the others\nAlice -> 11   the token read out is 3 (2 bits)\nBob   -> "
        in printed
    )
    assert re.search(r"^repaired formula +81$", printed, re.MULTILINE)
    assert printed.endswith("both know 1; the model says 1; every output agrees bit for bit\n")


def test_floats_stand_beside_the_fixed_point_that_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protocol", "index-lookup", "--length", "100", "--arithmetic", "float32"]) == 0
    printed = capsys.readouterr().out
    assert "repaired formula for fixed:278,149, which holds every float32" in printed
    assert "Alice holds positions 0, 2, 4, " in printed
    assert "..., 100 of 101, counted from 0, Bob the others" in printed


def test_a_protocol_that_differs_by_a_bit_is_refuted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ran = protocol.run_protocol

    def off(*arguments: Any) -> protocol.ProtocolRun:
        run = ran(*arguments)
        return protocol.ProtocolRun(dialogues.Transcript(run.transcript.messages, 1), (run.logits[0] + 1, *run.logits[1:]))

    monkeypatch.setattr(one_layer_protocol, "run_protocol", off)
    document = answer(capsys, "protocol", "equality/one-layer", "--length", "4", code=1)
    assert document["agrees"] is False
    assert main(["protocol", "equality/one-layer", "--length", "4"]) == 1
    assert capsys.readouterr().out.endswith("an output DIFFERS\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["equality", "--length", "4"], "the protocol takes a model with one layer, found 2"),
        (["equality/recurrent", "--length", "4"], "equality/recurrent is a recurrent model"),
        (
            ["index-lookup", "--length", "4", "--arithmetic", "bfloat16"],
            "a protocol needs arithmetic fixed:p,f, float64 or float32, found bfloat16",
        ),
        (["equality/one-layer", "--length", "4", "--input", "0 1 0 1 0 1"], "the protocol takes 2..4 tokens for this model, found 6"),
        (["equality/one-layer", "--length", "4", "--input", ""], "the protocol takes 2..4 tokens for this model, found 0"),
        (["index-lookup", "--length", "4", "--input", "s1 s2"], "is not a valid input at length 4"),
        (["index-lookup", "--length", "20000"], "the protocol takes 2..10000 tokens for this model, found 20001"),
        (["equality/one-layer", "--length", "4", "--alice", "4"], "--alice expects positions in 0..3, found 4"),
        (
            ["equality/one-layer", "--length", "4", "--alice", "left"],
            "odd, even, first, or positions counted from 0, as in 0,2,4, found",
        ),
        (["equality/one-layer", "--length", "4", "--alice", "1,1"], "alice must hold each position once"),
        (["equality/one-layer", "--length", "4", "--alice", "0,1,2,3"], "alice and bob must each hold a position of 4"),
        (["nothing", "--length", "4"], "nothing"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert says in refusal(capsys, "protocol", *arguments)


def test_a_counted_profile_is_written_as_a_certificate_that_check_accepts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    named, table = tmp_path / "new" / "equality.json", tmp_path / "language.json"
    document = answer(capsys, "profile", "equality", "--length", "6", "--out", str(named))
    certificate = json.loads(named.read_text())
    assert (certificate["kind"], certificate["claim"]["task"]) == ("state-profile", "equality")
    assert certificate["classes"] == document["classes"]
    (tmp_path / "odd.py").write_text("def odd(word):\n    return word.count('1') % 2 == 1\n")
    assert main(["profile", "function", "--length", "4", "--set", f"function={tmp_path / 'odd.py'}:odd", "--out", str(table)]) == 0
    assert f"wrote {table}" in capsys.readouterr().out
    assert json.loads(table.read_text())["claim"]["task"] == "table"  # the checker has no oracle of its own for it
    assert all(row["holds"] for row in answer(capsys, "check", str(named), str(table))["results"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["language.json", "new", "odd.py"]


def test_a_task_of_the_users_that_bears_a_known_name_is_certified_as_its_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text(
        "from dataclasses import dataclass\n"
        "from separatrix.tasks.equality import Equality\n"
        "@dataclass(frozen=True)\n"
        "class Unequal(Equality):\n"
        "    def answer(self, tokens):\n"
        "        return int(tokens[0] != tokens[-1])\n"
    )
    out = tmp_path / "out.json"
    document = answer(capsys, "profile", f"{source}:Unequal", "--length", "4", "--out", str(out))
    assert document["classes"] == [1, 2, 2, 2, 2]
    assert json.loads(out.read_text())["claim"]["task"] == "table"
    assert answer(capsys, "check", str(out))["results"][0]["holds"]


def test_a_profile_in_closed_form_is_not_certified_and_nothing_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "profile.json"
    says = refusal(capsys, "profile", "index-lookup", "--length", "100", "--out", str(out))
    assert "only a counted profile can be certified; index-lookup at length 100: about 10^183 inputs to count" in says
    assert list(tmp_path.iterdir()) == []
    assert "cannot write" in refusal(capsys, "profile", "equality", "--length", "4", "--out", str(tmp_path))


def test_certifying_a_profile_imports_no_torch(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from separatrix.cli import main\n"
        f"sys.exit(main(['profile', 'equality', '--length', '6', '--out', {str(tmp_path / 'profile.json')!r}]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "profile.json").exists()


def test_a_chain_is_one_message_of_what_later_tokens_see(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Seven of twelve numbers are seen by no token from the separator on: blocks of five end at 5 and 10, and it sees 9 to 13."""
    file = str(tmp_path / "poison.json")
    document = answer(capsys, "protocol", "reverse-sum/sparse", "--length", "12", "--set", "block=5", "--out", file)
    assert document["hidden"] == [1, 2, 3, 4, 6, 7, 8]
    assert document["claimed"] == pytest.approx(12 * math.log2(10))
    assert document["sent"] >= document["claimed"]
    assert answer(capsys, "check", file, "--require", "proven")["results"][0]["holds"]


def test_what_hides_nothing_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert "every one of the first 4 tokens of the input is seen by its last or later" in refusal(
        capsys, "protocol", "lis/standard", "--length", "4"
    )
    assert "a dialogue has none" in refusal(capsys, "protocol", "equality/one-layer", "--length", "4", "--out", "x.json")


def test_two_layers_have_no_such_dialogue_and_the_corollary_says_by_how_much(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand at N = 1024 with fixed:22,10 and three addresses of 10 bits and one of a symbol: 512 bits over 31 * 22 * 2."""
    document = answer(capsys, "protocol", "equality/partition", "--length", "1024")
    assert [row["N"] for row in document["rows"]] == [64, 128, 256, 512, 1024]
    last = document["rows"][-1]
    assert (last["width"], last["precision"], last["heads"], last["bits"]) == (31, 22, 2, 512)
    assert last["g"] == pytest.approx(512 / (31 * 22 * 2))
    ratios = [row["g"] / row["scale"] for row in document["rows"]]
    assert max(ratios) / min(ratios) < 1.5  # g grows as N / (log N)^2 does
