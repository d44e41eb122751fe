"""One report, five forms: what is in the document and the tables comes out in each, and nothing else does."""

from __future__ import annotations

import csv
import json

import click
import pytest

from separatrix.cli import COMMANDS, main
from separatrix.cli.report import FORMS, Report, Table, reporting

TABLE = Table(("name", "a|b"), [("one, two", 3), ("50 %", "x|y")])
REPORT = Report({"rows": [1, 2], "é": None}, ["before", TABLE, "after", "at last"])


def lines(form: str, report: Report = REPORT) -> list[str]:
    return list(FORMS[form](report))


def test_text_has_columns_and_sentences_in_order() -> None:
    assert lines("text") == ["before", "name      a|b", "--------  ---", "one, two  3", "50 %      x|y", "after", "at last"]


def test_json_is_the_document_alone() -> None:
    (line,) = lines("json")
    assert json.loads(line) == {"rows": [1, 2], "é": None}
    assert "é" in line


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        lines("json", Report({"share": float("nan")}, []))


def test_markdown_has_an_empty_line_between_parts_and_bars_inside_cells_are_escaped() -> None:
    table = ["| name | a\\|b |", "| --- | --- |", "| one, two | 3 |", "| 50 % | x\\|y |"]
    assert lines("markdown") == ["before", "", *table, "", "after", "", "at last"]
    assert lines("markdown", Report({}, [TABLE, "", TABLE])) == [*table, "", *table]
    assert lines("markdown", Report({}, [TABLE, TABLE])) == [*table, "", *table]


def test_latex_escapes_cells_and_keeps_sentences_as_comments() -> None:
    written = lines("latex")
    assert written[0] == "% before"
    assert r"50 \% & x|y \\" in written
    assert written[-1] == "% at last"


def test_csv_reads_back() -> None:
    assert [*csv.reader(lines("csv"))] == [["name", "a|b"], ["one, two", "3"], ["50 %", "x|y"]]
    assert lines("csv", Report({}, [Table(("n", "share", "none"), [(12480, 0.123456789, None)])])) == ["n,share,none", "12480,0.123456789,"]
    both = lines("csv", Report({}, [TABLE, "between", TABLE]))
    assert both == [*lines("csv"), "", *lines("csv")]


@pytest.mark.parametrize(
    "command",
    [
        "tasks",
        "studies",
        "constructions",
        "models",
        "vectors --length 20",
        "profile parity --length 4",
        "state lstm-2-8 --length 10",
        "audit parity --length 6 --count 20",
        "communication equality --length 4 --alice 0,1",
        "profile equality --lengths 2..6 --compare N/2",
        "bounds parity --length 20",
        "language (ab)*",
        "decide (aa)*",
        "study operations",
        "facts parity",
        "published mamba2 mistral",
    ],
)
def test_commands_print_every_form(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.split(maxsplit=1)[0] in COMMANDS
    outputs = {}
    for option in ("--json", "--as text", "--as markdown", "--as latex", "--as csv", ""):
        assert main([*command.split(), *option.split()]) == 0
        outputs[option] = capsys.readouterr().out
    assert outputs[""] == outputs["--as text"]
    assert isinstance(json.loads(outputs["--json"]), dict)
    assert outputs["--as markdown"].count("| --- |") >= 1
    assert r"\begin{tabular}" in outputs["--as latex"]
    header, *rows = csv.reader(outputs["--as csv"].splitlines())
    assert rows
    assert len(header) == len(rows[0]) >= 2


def test_a_report_decides_the_exit_code_and_warns_where_sentences_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    @click.command()
    @reporting
    def answer() -> Report:
        return Report([1], ["off by one", TABLE], warning="off by one", code=1)

    for options, warned in (([], ""), (["--json"], "off by one\n"), (["--as", "csv"], "off by one\n"), (["--as", "latex"], "")):
        assert answer.main(args=options, standalone_mode=False) == 1
        assert capsys.readouterr().err == warned


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("tasks --json --as csv", "expected --json or --as csv, found both"),
        ("ceiling index-lookup --length 20 --state-bits 3 --as csv", "--as csv: this answer has no table"),
        ("tasks --as html", "Invalid value for '--as'"),
    ],
)
def test_a_form_that_there_is_not_is_one_line(arguments: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err
    assert printed.err.count("\n") == 1
