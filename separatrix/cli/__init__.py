"""The command line: parse, call one function, print. Commands are imported when they are called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from separatrix.errors import BadInput

COMMANDS = {  # command -> (module, what it answers)
    "papers": ("listings", "Every statement of the four papers, with status and errata."),
    "tasks": ("listings", "The tasks there are, with parameters and citation."),
    "models": ("listings", "The architectures there are."),
    "constructions": ("listings", "The constructions there are."),
    "studies": ("listings", "The studies there are."),
    "sample": ("examples", "Examples of a task."),
    "audit": ("examples", "Balance, duplicates, second solver and shortcuts of a task's data."),
    "build": ("building", "Exact weights of a construction."),
    "verify": ("building", "A built model against the oracle, as a certificate."),
    "check": ("checking", "Certificates, independently of what made them."),
    "explain": ("building", "One run of a construction, step by step."),
    "profile": ("limits", "States any recurrent model must distinguish after each token."),
    "bounds": ("limits", "Per architecture: what is needed at least, and what was built."),
    "ceiling": ("limits", "Best accuracy with so many bits of state; least bits for an accuracy."),
    "protocol": ("protocols", "A one-layer construction as a dialogue of two parties, its bits beside the paper's."),
    "language": ("limits", "Automaton, monoid and verdicts for a regular language."),
    "vectors": ("vectors", "How many dimensions almost orthogonal addresses need."),
    "train": ("learning", "Train a model on a task; rows and snapshots survive a kill."),
    "evaluate": ("learning", "Accuracy of a model, by length and by position asked."),
    "runs": ("runs", "What a store holds: list, show, cancel, remove, export, merge, check."),
    "sweep": ("sweep", "The missing trials of a study, on any engine; a relaunch finishes the rest."),
    "study": ("learning", "A study's question, prediction and rows; --run trains what it needs."),
    "atlas": ("pages", "The web page that puts proven, built and learned side by side."),
}


class Commands(click.Group):
    """Commands by name; the module of a command is imported only when it runs, so that --help is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"separatrix.cli.{COMMANDS[name][0]}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="separatrix")
def separatrix() -> None:
    """What a sequence model of a given size can and cannot do: exact weights, lower bounds that run, certificates."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: done, the claim holds. 1: refuted. 2: bad input, one line."""
    try:
        code = separatrix.main(args=None if arguments is None else list(arguments), prog_name="separatrix", standalone_mode=False)
    except BadInput as error:
        return _refuse(str(error))
    except click.UsageError as error:
        return _refuse(error.format_message())
    except click.ClickException as error:
        return _refuse(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        return 0
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    print("separatrix: " + " ".join(message.split()), file=sys.stderr)
    return 2
