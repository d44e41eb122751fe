"""The commands answer as documented: one JSON document, exit codes 0, 1 and 2, one line for bad input, nothing half-written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from separatrix.checker import sealed
from separatrix.cli import COMMANDS, main
from separatrix.constructions import construction
from tests.cli.calling import answer, refusal


def test_the_listings_name_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    tasks = answer(capsys, "tasks")["tasks"]
    lookup = next(task for task in tasks if task["name"] == "index-lookup")
    assert lookup["tokens"] == "N + 1"
    assert {"name": "symbols", "type": "int", "default": 64} in lookup["parameters"]
    constructions = answer(capsys, "constructions")["constructions"]
    assert any(c["name"] == "index-lookup" and c["cites"] == "bhattamishra2024 Theorem 1" for c in constructions)
    assert any(m["name"] == "transformer" for m in answer(capsys, "models")["models"])


def test_what_is_partly_there_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    listed = answer(capsys, "papers", "--status", "partly")["papers"]
    assert listed
    assert all(s["missing"].endswith(".") for s in listed)
    main(["papers", "--status", "partly"])
    printed = capsys.readouterr().out
    assert all(f"missing: {s['missing']}" in printed for s in listed)


def test_papers_can_be_filtered(capsys: pytest.CaptureFixture[str]) -> None:
    every = answer(capsys, "papers")["papers"]
    assert set(every[0]) >= {"key", "kind", "status", "erratum", "code"}
    theorems = answer(capsys, "papers", "--paper", "hahn2020", "--kind", "theorem")["papers"]
    assert [s["key"] for s in theorems] == ["hahn2020 Theorem 1", "hahn2020 Theorem 6"]
    with_errata = answer(capsys, "papers", "--errata")["papers"]
    assert all(s["erratum"] for s in with_errata)
    assert {e["severity"] for s in with_errata for e in s["erratum"]} == {"error", "gap", "misprint"}
    assert {e["severity"] for s in every for e in s["notes"]} == {"note", "code"}
    assert 0 < len(answer(capsys, "papers", "--search", "index lookup")["papers"]) < len(every)


def test_a_profile_prints_lower_and_upper_bits_apart_where_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    # two of three possible keys: after both keys and one label at least 4 states, and 6 suffice
    assert main(["profile", "associative-recall", "--length", "2", "--set", "symbols=3"]) == 0
    assert "bits of state: 2..3" in capsys.readouterr().out
    assert answer(capsys, "profile", "associative-recall", "--length", "2", "--set", "symbols=3")["bits_upper"] == 3
    assert main(["profile", "equality", "--length", "4"]) == 0
    assert "bits of state: 2 " in capsys.readouterr().out


def test_examples_depend_on_their_number_alone(capsys: pytest.CaptureFixture[str]) -> None:
    three = answer(capsys, "sample", "index-lookup", "--length", "20", "--count", "3", "--seed", "1")["examples"]
    last = answer(capsys, "sample", "index-lookup", "--length", "20", "--count", "1", "--seed", "1", "--start", "2")["examples"]
    assert three[2] == last[0]
    assert set(three[0]) == {"tokens", "text", "target", "chain"}


def test_what_label_1_means_is_said_beside_the_examples_and_not_among_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", "parity", "--length", "4", "--count", "3"]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 3
    assert "label 1: the word is in the language" in printed.err
    assert main(["sample", "parity", "--length", "4", "--json"]) == 0
    assert "label 1" not in capsys.readouterr().err


def test_build_reports_sizes_and_writes_both_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "build", "index-lookup", "--length", "64", "--out", str(tmp_path / "built"))
    # width b + 2 L = 6 + 12
    assert (document["layers"], document["heads"], document["width"], document["precision_bits"]) == (1, 1, 18, 64)
    assert sorted(path.name for path in (tmp_path / "built").iterdir()) == ["claim.json", "model.safetensors"]
    assert json.loads((tmp_path / "built" / "claim.json").read_text())["sizes"]["width"] == 18


def test_verify_prints_a_certificate_that_check_accepts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "verify", "index-lookup", "--length", "16", "--cases", "10", "--out", str(tmp_path))
    (path,) = (tmp_path / "certificates").iterdir()
    assert json.loads(path.read_text()) == document
    (result,) = answer(capsys, "check", str(path))["results"]
    assert set(result) == {"file", "holds", "reason", "claim", "strength", "evidence", "architecture"}
    assert (result["file"], result["holds"], result["strength"]) == (str(path), True, "proven")
    assert result["claim"].startswith("index lookup, N = 16, 64 symbols: right on every input, by at least 1.9999")


def test_check_tells_refused_from_unreadable(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "verify", "index-lookup", "--length", "16", "--cases", "10")
    path = tmp_path / "c.json"
    path.write_text(json.dumps({**document, "edited": 1}))
    assert "edited" in answer(capsys, "check", str(path), code=1)["results"][0]["reason"]
    path.write_text(json.dumps(sealed({**document, "sizes": {**document["sizes"], "width": 3}})))
    assert "sizes.width" in answer(capsys, "check", str(path), code=1)["results"][0]["reason"]
    path.write_text(json.dumps(document)[:100])
    assert "not a JSON document" in refusal(capsys, "check", str(path))
    assert "cannot read" in refusal(capsys, "check", str(tmp_path / "nowhere.json"))


def test_explain_tells_the_proof_over_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "explain", "index-lookup", "--input", "s1 s2 s3 @3")
    assert document["steps"][-1]["values"] == {"says": "s3", "expected": "s3"}


@pytest.mark.parametrize(
    ("name", "length"),
    [("index-lookup", 8), ("copy", 5), ("mqar", 6), ("eq-ncp", 8), ("dyck/one-layer", 8), ("associative-recall/recurrent", 4)],
)
def test_explain_reads_what_sample_prints_without_a_length(capsys: pytest.CaptureFixture[str], name: str, length: int) -> None:
    (example,) = answer(capsys, "sample", construction(name).task, "--length", str(length), "--count", "1")["examples"]
    document = answer(capsys, "explain", name, "--input", example["text"])
    assert document["input"] == example["text"]
    assert document["expected"] == example["target"]
    assert document["steps"]


def test_explain_of_a_recurrent_model_says_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "index-lookup/recurrent", "--input", "s1 s0 s1 @2", "--set", "symbols=2"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["     says: 0", "the right answer: s0"]


def test_explain_takes_the_least_length_at_which_a_text_is_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    (address,) = [step for step in answer(capsys, "explain", "index-lookup", "--input", "s1 s2 s3 @3")["steps"] if step["title"] == "embed"]
    assert len(address["values"]["T(p)"]) == 2  # addresses of two bits: N = 3, and no more
    assert answer(capsys, "explain", "index-lookup", "--input", "s1 s2 s3 @3", "--length", "40")["expected"] == 3


def test_explain_shows_the_form_of_an_input_that_it_cannot_read(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "explain", "index-lookup", "--input", "hello")
    assert "expected a token id, found 'hello'; an input of length 16 reads 's6 s11 " in said
    assert "the input is empty; an input of length 16 reads 's6 " in refusal(capsys, "explain", "index-lookup", "--input", "")
    said = refusal(capsys, "explain", "index-lookup", "--input", "s1", "--length", "3")
    assert "'s1' is not a valid input at length 3; an input of length 3 reads 's" in said


@pytest.mark.parametrize("command", [["sample"], ["audit"], ["profile"], ["bounds"], ["communication"], ["ceiling", "--state-bits", "3"]])
def test_a_length_that_is_set_twice_is_refused_for_tasks(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    said = refusal(capsys, *command, "equality", "--length", "8", "--set", "length=4")
    assert said == "--length 8 and --set length=4 set the same parameter: use one"


@pytest.mark.parametrize("command", ["build", "verify", "explain", "protocol"])
def test_a_length_or_a_format_that_is_set_twice_is_refused_for_constructions(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert "--length 8 and --set length=8 set the same" in refusal(capsys, command, "equality", "--length", "8", "--set", "length=8")
    said = refusal(capsys, command, "equality", "--length", "8", "--arithmetic", "float32", "--set", "arithmetic=float64")
    assert "--arithmetic float32 and --set arithmetic=float64 set the same parameter: use one" in said


def test_a_length_may_be_set_like_any_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "verify", "index-lookup", "--set", "length=5", "--set", "symbols=3")
    assert document["claim"]["parameters"]["length"] == 5


def test_names_with_a_dash_and_with_a_line_below_are_one_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--set", "state-bits=3", "--set", "state_bits=4")
    assert "--set state_bits appears twice" in refusal(capsys, "sample", "equality", "--length", "8", *arguments)


def test_verify_says_where_the_certificate_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["verify", "equality", "--length", "8", "--out", str(tmp_path)]) == 0
    (written,) = (tmp_path / "certificates").iterdir()
    assert capsys.readouterr().out.endswith(f"wrote {written}\n")


def test_verify_all_reuses_what_is_there_says_so_and_makes_the_rest(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import separatrix.constructions

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    quick = (("index-lookup", {"length": 4, "symbols": 3}), ("equality", {"length": 8}))
    monkeypatch.setattr(separatrix.constructions, "quick_builds", lambda: quick)
    out = ("--out", str(tmp_path / "build"))
    first = answer(capsys, "verify", "--all", *out)
    assert main(["verify", "--all", *out]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("(reused)") == 2
    assert "2 of them were reused with their verdicts" in printed.out
    assert answer(capsys, "verify", "--all", *out) == first
    spoilt = sorted((tmp_path / "build" / "certificates").iterdir())[0]
    spoilt.write_text(spoilt.read_text().replace("proven", "tested"))
    assert main(["verify", "--all", *out]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("(reused)") == 1
    assert main(["check", str(spoilt)]) == 0
    capsys.readouterr()
    assert main(["verify", "--all", "--fresh", *out]) == 0
    assert "reused" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["bounds", "mq"], ["mqar"]),
        (["build", "dyck-2"], ["dyck-2/soft-attention", "dyck-2/recurrent"]),
        (["study", "trad"], ["trade-offs"]),
        (["probe", "gr"], ["gru-2-64"]),
        (["attack", "mine/run"], ["file,mine/run"]),
        (["ver"], ["verify"]),
    ],
)
def test_a_shell_completes_commands_and_names(words: list[str], completed: list[str]) -> None:
    asked = {"_SEPARATRIX_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["separatrix", *words]), "COMP_CWORD": str(len(words))}
    command = [sys.executable, "-c", "import sys; sys.modules['torch'] = None; import separatrix.__main__"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert [line.removeprefix("plain,") for line in done.stdout.splitlines()] == completed, done.stderr


@pytest.mark.parametrize(
    ("arguments", "classes", "bits"),
    [
        # equality: 2^t up to the middle, then one class per suffix still possible and one for 'already different'
        (["equality", "--length", "12"], [1, 2, 4, 8, 16, 32, 64, 33, 17, 9, 5, 3, 2], 6),
        # Dyck-(2,2): sink, and what is open: nothing, or one bracket, or two
        (["dyck", "--length", "8"], [1, 3, 6, 3, 6, 3, 6, 3, 2], 3),
        # index lookup: every string of 3 out of 4 symbols, 3 log2 4 bits, and one of 4 answers at the end
        (["index-lookup", "--length", "3", "--set", "symbols=4"], [1, 4, 16, 64, 4], 6),
    ],
)
def test_profiles_count_the_states(capsys: pytest.CaptureFixture[str], arguments: list[str], classes: list[int], bits: int) -> None:
    document = answer(capsys, "profile", *arguments)
    assert (document["classes"], document["bits"]) == (classes, bits)


def test_large_profiles_use_a_closed_form_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "profile", "index-lookup", "--length", "100")
    assert document["bits"] == 600  # N log2 |S|
    assert "closed form" in document["method"]


def test_bounds_name_theorem_and_value(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "bounds", "index-lookup", "--length", "1000", "--precision", "16")["bounds"]
    recurrent = next(row for row in rows if row["architecture"] == "recurrent" and row["quantity"] == "state bits")
    assert recurrent["value"] == 6000  # N log2 |S| = 1000 * 6
    assert recurrent["tight"] is True


BAD = [
    (["sample", "no-such-task", "--length", "8"], "unknown task 'no-such-task'"),
    (["sample", "index-lookup", "--length", "0"], "length N must be at least 1, found 0"),
    (["sample", "index-lookup", "--length", "-4"], "length N must be at least 1, found -4"),
    (["sample", "index-lookup", "--length", "many"], "'many' is not a valid integer"),
    (["sample", "index-lookup"], "Missing option '--length'"),
    (["sample", "index-lookup", "--length", "8", "--count", "-1"], "--count must lie in 0.."),
    (["sample", "index-lookup", "--length", "8", "--set", "colour=red"], "no parameter 'colour'"),
    (["sample", "index-lookup", "--length", "8", "--set", "symbols=many"], "expected an integer, found 'many'"),
    (["sample", "index-lookup", "--length", "8", "--set", "symbols"], "--set expects key=value"),
    (["sample", "index-lookup", "--length", "8", "--set", "symbols=4", "--set", "symbols=5"], "appears twice"),
    (["build", "index-lookup", "--length", "64", "--set", "address=zip"], "expected one of binary, quadratic, code"),
    (["build", "index-lookup", "--length", "64", "--arithmetic", "fixed:2,9"], "f must lie in 0..p-1"),
    (["build", "index-lookup", "--length", "64", "--arithmetic", "nearest:8"], "p must be odd"),
    (["build", "index-lookup", "--length", "64", "--arithmetic", "decimal"], "unknown arithmetic 'decimal'"),
    (["build", "index-lookup", "--length", "5000", "--arithmetic", "float32", "--set", "address=quadratic"], "float32 holds them exactly"),
    (["verify"], "expects the NAME of a construction, or --all"),
    (["verify", "nothing-here"], "unknown construction 'nothing-here'"),
    (["verify", "index-lookup", "--cases", "0"], "must be at least 1, found 0"),
    (["explain", "index-lookup", "--input", "s1 s2 @9"], "index p = 9 lies outside [1, N] with N = 2"),
    (["explain", "index-lookup", "--input", "s1 s2 s1"], "is not a valid input"),
    (["profile", "index-lookup", "--length", "-1"], "length N must be at least 1"),
    (["papers", "--paper", "turing1936"], "expected one of bhattamishra2024"),
    (["nonsense"], "no command 'nonsense'; `separatrix --help` lists the commands"),
    (["sample", "nowhere.py:Task", "--length", "3"], "no such file: 'nowhere.py'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in refusal(capsys, *arguments)


def test_a_folder_that_cannot_be_written_is_refused_and_nothing_appears(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert "cannot write" in refusal(capsys, "build", "index-lookup", "--length", "8", "--out", str(blocked / "built"))
    assert "is not a folder" in refusal(capsys, "verify", "index-lookup", "--length", "8", "--out", str(blocked))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path) -> None:
    out = tmp_path / "certificates"
    program = (
        "import sys, separatrix.certificates.verify, separatrix.constructions.bhattamishra2024.index_lookup\n"
        "from separatrix.cli import main\n"
        "print('ready', flush=True)\n"
        "sys.exit(main(['verify', 'index-lookup', '--length', '1000000', '--cases', '2000', '--out', sys.argv[1]]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=300)  # a busy machine takes its time; what is asserted does not depend on it
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, error
    assert "Traceback" not in error
    assert not out.exists()


def test_every_listing_and_help_imports_no_torch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from separatrix.cli import COMMANDS, main\n"
        "codes = [main(a) for a in (['--help'], ['tasks'], ['models'], ['constructions'], ['studies'], ['papers'],"
        " ['profile', 'equality', '--length', '6'], ['bounds', 'index-lookup', '--length', '100'],"
        " ['sample', 'index-lookup', '--length', '5'], *([name, '--help'] for name in COMMANDS))]\n"
        "sys.exit(max(codes))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        assert "--json" in capsys.readouterr().out, name


def test_a_misspelt_command_is_answered_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verfy"]) == 2
    assert capsys.readouterr().err == "separatrix: no command 'verfy'; did you mean 'verify'?\n"


def test_so_is_a_misspelt_subcommand_and_the_family_of_constructions_names_its_members(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "shwo"]) == 2
    assert capsys.readouterr().err == "separatrix: runs: no subcommand 'shwo'; did you mean 'show'?\n"
    assert main(["runs", "zzz"]) == 2
    assert "expected one of cancel, certificates, check" in capsys.readouterr().err
    assert main(["build", "is-tree", "--length", "8"]) == 2
    assert "did you mean 'is-tree/hybrid' or 'is-tree/hybrid/no-chain' or 'is-tree/retrieval' or " in capsys.readouterr().err


def test_the_subcommands_of_runs_are_listed_with_whole_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "--help"]) == 0
    assert "..." not in capsys.readouterr().out.partition("Commands:")[2]


def test_vectors_answers_both_ways_round(capsys: pytest.CaptureFixture[str]) -> None:
    held = {row["family"]: row["vectors"] for row in answer(capsys, "vectors", "--dimension", "64")["families"]}
    assert (held["code-qf"], held["one-hot"], held["quadratic"]) == (2**16, 64, None)
    assert main(["vectors", "--dimension", "64"]) == 0
    assert "at least 2^64" in capsys.readouterr().out
    for wrong, found in ((["vectors"], "neither"), (["vectors", "--length", "3", "--dimension", "3"], "both")):
        assert main(wrong) == 2
        assert capsys.readouterr().err == f"separatrix: vectors expects one of --length and --dimension, found {found}\n"


def test_a_language_that_is_nearly_of_the_gallery_is_not_read_as_an_expression(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["language", "@partiy"]) == 2
    assert "no language '@partiy' in the gallery; did you mean '@parity'? (as an expression: (@)partiy)" in capsys.readouterr().err


def test_a_misspelt_parameter_is_answered_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", "index-lookup", "--length", "5", "--set", "symbls=3"]) == 2
    assert capsys.readouterr().err.endswith("; did you mean 'symbols'?\n")


def test_no_command_at_all_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "\n  verify " in shown
    assert "\n  check " in shown


def test_an_error_of_our_own_has_a_code_of_its_own_and_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("of our\nown")

    monkeypatch.setattr("separatrix.tasks.make_task", broken)
    assert main(["sample", "index-lookup", "--length", "5"]) == 70
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("separatrix: internal error: ZeroDivisionError: of our own; please report it")
    monkeypatch.setenv("SEPARATRIX_TRACEBACK", "1")
    assert main(["sample", "index-lookup", "--length", "5"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_command_without_its_dependency_names_the_extra() -> None:
    blocked = "import sys; sys.modules['torch'] = None; from separatrix.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", blocked, "build", "index-lookup", "--length", "8"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "separatrix: this command needs torch: pip install 'separatrix[torch]'\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m separatrix papers | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("noise", ["nan", "inf", "-1"])
def test_noise_must_be_a_finite_number(noise: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "index-lookup", "--length", "8", "--noise", noise]) == 2
    assert "noise must be a finite number, 0 or more, found" in capsys.readouterr().err


def test_true_is_also_read_as_python_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "equality", "--length", "8", "--set", "residual=True"]) == 0
    assert capsys.readouterr().out


def test_one_configuration_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    measured = answer(capsys, "models", "wen2024-hybrid-0.5m", "--length", "10", "--vocabulary", "20")
    assert (measured["trainable"], measured["parameters"]) == (458_176, 458_176 + 2 * 20 * 64)
    assert measured["cites"] == "wen2024 Experiment 4"
    assert not measured["regular"]
    assert answer(capsys, "models", "Elman-(1,8)", "--length", "10")["regular"]
    assert main(["models", "mamba-2-64x"]) == 2
    assert "unknown model 'mamba-2-64x'" in capsys.readouterr().err


MINE = """
import numpy as np

from separatrix.arithmetic import parse_format
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.parts.addresses import lookup
from separatrix.tasks.index_lookup import IndexLookup


def lookup_of_mine(length, weight=8.0):
    # No feed-forward part, one coordinate for each symbol, and a residual connection: the largest coordinate of what was read says it.
    task, T = IndexLookup(length, 3), lookup("one-hot", length, parse_format("float64"))
    net = Assembler(plain=3, numbers=length, targets=3, length=length + 1, arithmetic="float64", residual=True)
    symbol = net.token("symbol", np.eye(3))
    index = net.number("index", T.weights, T.query_weight())
    place = net.place("place", T.weights, gate=np.array([1.0, 1.0, 1.0, 0.0]))
    z = net.layer().attend("mine", query=float(weight) * index, key=place, value=symbol, into="read")
    net.read_out(np.eye(3), z, np.zeros(3))
    return net.compile(task, "lookup-of-mine", "", {}, {})
"""


def test_verify_says_which_hypothesis_failed_and_prove_asks_for_a_proof(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """By hand: the queried place has e^w, the four others and the index token 1 each; the index token carries no symbol. So all inputs
    are right from e^w > 4 on, and the rule, which lets the index token count as any symbol, shows it from e^w > 5 on."""
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    own = ["verify", f"{mine}:lookup_of_mine", "--length", "5", "--set"]
    assert main([*own, "weight=1.7", "--prove"]) == 0, capsys.readouterr()
    shown = capsys.readouterr().out
    assert "not proven" not in shown
    assert "\nproven: " in shown
    assert main([*own, "weight=1.5"]) == 0
    shown = capsys.readouterr().out
    assert "\n  not proven: lookup: the read-out: symbol 0 leads by no more than -0." in shown
    assert "layer 1, head 1 gives the queried place at least 0.47" in shown
    assert "\nexhaustive: " in shown
    assert main([*own, "weight=1.5", "--prove"]) == 1
    assert main([*own, "weight=1.3"]) == 1
    assert "REFUTED" in capsys.readouterr().out
