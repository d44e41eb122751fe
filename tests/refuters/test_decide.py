from __future__ import annotations

from pathlib import Path

import pytest

import separatrix as sx
from separatrix.bounds.languages.verdict_rules import BARRIER, BUILT, CONDITIONAL, IMPOSSIBLE, OPEN
from separatrix.checker import check_file
from separatrix.errors import BadInput
from separatrix.refuters.decide import decide


def verdicts(report: dict[str, object]) -> dict[str, str]:
    return {row["architecture"]: row["verdict"] for row in report["rows"]}  # type: ignore[attr-defined]


def test_parity_is_impossible_inside_the_barrier_with_a_certificate_that_the_checker_accepts(tmp_path: Path) -> None:
    report = decide("@parity", arithmetic="float32", out=tmp_path)
    found = verdicts(report)
    assert all(found[name] == IMPOSSIBLE for name in BARRIER)
    assert found["retnet"] == found["linear-attention-positions"] == IMPOSSIBLE  # PARITY is not quasi-aperiodic
    assert found["lstm"] == found["elman"] == found["rank-one"] == found["pd"] == BUILT
    for name in ("lstm", "rank-one", "pd"):
        assert "right on every input of every length" in check_file(tmp_path / f"{name}.json").claim
    paths = {row["certificate"] for row in report["rows"] if row["architecture"] in BARRIER}
    assert paths == {str(tmp_path / "period.json")}
    verdict = check_file(tmp_path / "period.json")
    assert verdict.holds, verdict.reason
    # one layer of 2^32 numbers behind a convolution of four taps: 2^32 - 1 + 3 blocks, and the one after them
    assert f"at most {2**32 - 1 + 3 + 1:,} symbols" in verdict.claim


def test_a_star_free_language_is_built_by_mamba_and_run_on_all_pairs() -> None:
    (row,) = sx.decide("(ab)*", architecture="mamba")["rows"]
    assert row["verdict"] == BUILT
    assert (row["layers"], row["form"], row["lengths"]) == (2, "recurrent", "all")
    assert row["pairs"] >= 3
    assert row["margin"] > 0.9
    assert row["bits"] > 0


def test_a_format_in_which_weights_are_not_built_leaves_the_row_open_and_what_holds_in_any_format_holds_in_it() -> None:
    half = {row["architecture"]: row for row in decide("(ab)*", arithmetic="float16")["rows"]}
    assert half["mamba"]["verdict"] == OPEN
    assert half["mamba"]["why"] == "built in float32, float64; nothing is known in float16"
    assert half["window"]["verdict"] == IMPOSSIBLE
    assert half["window"]["arithmetic"] == "float16"
    short = {row["architecture"]: row["verdict"] for row in decide("(aa)*", arithmetic="bfloat16")["rows"]}
    assert (short["mamba"], short["lstm"]) == (IMPOSSIBLE, OPEN)
    (row,) = decide("(ab)*", architecture="mamba", arithmetic="float32")["rows"]
    assert (row["verdict"], row["arithmetic"]) == (BUILT, "float32")


def test_the_certificate_and_the_bits_are_of_the_format_that_was_asked_for(tmp_path: Path) -> None:
    for arithmetic, bits in (("float32", 32), ("float64", 64)):
        (row,) = decide("(ab)*", architecture="rank-one", arithmetic=arithmetic, out=tmp_path / arithmetic)["rows"]
        assert row["bits"] == 3 * bits
        assert arithmetic in check_file(Path(row["certificate"])).claim


def test_a_group_that_is_not_solvable_is_conditional_for_log_precision() -> None:
    report = decide("group:s5", architecture="transformer-log-precision")
    assert report["monoid"] == 120
    assert report["derived"] == [120, 60, 60]
    assert verdicts(report) == {"transformer-log-precision": CONDITIONAL}
    assert verdicts(decide("group:s4", architecture="transformer-log-precision")) == {"transformer-log-precision": OPEN}


def test_a_group_as_permutations_and_the_same_group_by_name_agree() -> None:
    by_name, written = (decide(text, architecture="mamba") for text in ("group:s3", "group:[[2,1,3],[2,3,1]]"))
    assert by_name["rows"] == written["rows"]
    assert by_name["monoid"] == 6


@pytest.mark.parametrize(
    ("language", "architecture", "arithmetic", "reason"),
    [
        ("(ab", None, None, "expected '\\)'"),
        ("group:[[2,3,1],[2,1]]", None, None, "permutations of the same degree, found degrees 3 and 2"),
        ("group:[[1,1]]", None, None, "expected a permutation of 1 .. 2"),
        ("group:[[2,1,3,4],[1,2,4,3]]", None, None, "expected a transitive group"),
        ("group:monster", None, None, "no group 'monster'"),
        ("(ab)*", "mambo", None, "no architecture 'mambo'; did you mean 'mamba'\\?"),
        ("@nothere", None, None, "no language '@nothere' in the gallery: expected one of parity"),
        ("(aa)*", None, "int8", "unknown arithmetic 'int8'"),
        ("(ab)*", None, "int8", "unknown arithmetic 'int8'"),
        ("missing.json", None, None, "cannot read the file"),
        ('{"alphabet":["a","b"],"start":"0","accepting":["0"],"moves":{"0":{"a":"0"}}}', None, None, "state '0' has no move on 'b'"),
    ],
)
def test_bad_input_is_one_line(language: str, architecture: str | None, arithmetic: str | None, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        decide(language, architecture, arithmetic)
    assert "\n" not in str(caught.value)


def test_an_alphabet_of_a_million_symbols_is_refused() -> None:
    letters = ",".join(f'"{i}"' for i in range(10**6))
    with pytest.raises(BadInput, match="at most"):
        decide(f'{{"alphabet":[{letters}],"start":"0","accepting":[],"moves":{{"0":{{}}}}}}')
    with pytest.raises(BadInput, match="at most 1000 symbols"):
        decide("a*", alphabet="".join(map(chr, range(0x4E00, 0x4E00 + 2000))))


@pytest.mark.parametrize(
    ("name", "row"), [("tf", "transformer"), ("lintf", "linear-attention"), ("stack", "stack"), ("block-sparse", "block-sparse")]
)
def test_models_of_every_name_have_a_row(name: str, row: str) -> None:
    assert [found["architecture"] for found in decide("(ab)*", architecture=name)["rows"]] == [row]
