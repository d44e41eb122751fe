"""`python -m docs.site --atlas atlas --out site`: documentation, API reference and atlas in one folder, with every link checked."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from docs.site.links import faults
from docs.site.pages import ROOT, html, relative, sources, title
from docs.site.reference import modules, room

MENU = (  # name -> address
    ("Separatrix", "index"), ("Ten minutes", "tutorial"), ("Recipes", "adding"), ("Your model", "probe"), ("Plan", "plan"),
    ("State", "state"), ("Certificates", "certificates"), ("Sweeps", "store"), ("Errata", "errata"), ("Gallery", "gallery"),
    ("Related tools", "related"), ("API", "api/separatrix"),
)  # fmt: skip


def site(atlas: Path | None) -> dict[str, bytes]:
    """The files of the site, by name; without an atlas the menu has no link to one."""
    known = sources()
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    menu = [(name, f"{address}.html") for name, address in MENU]
    menu += [] if atlas is None else [("Atlas", "atlas/index.html")]

    def page(here: str, heading: str, body: str) -> bytes:
        current = next((name for name, address in menu if address == f"{here}.html"), "API" if here.startswith("api/") else "")
        links = [(name, relative(here, address)) for name, address in menu]
        return environment.get_template("page.html").render(title=heading, menu=links, current=current, body=Markup(body)).encode()

    files = {}
    for here, path in known.items():
        text = path.read_text(encoding="utf-8")
        files[f"{here}.html"] = page(here, title(text), html(text, here, known))
    rooms: dict[str, list[object]] = {}
    for module in modules(ROOT / "separatrix"):
        rooms.setdefault(room(module), []).append(module)
    template = environment.get_template("reference.html")
    for name, members in rooms.items():
        others = ", ".join(f'<a href="{other}.html">{other}</a>' for other in sorted(rooms))
        body = f"<p>{others}</p>" + template.render(room=name, modules=members)
        files[f"api/{name}.html"] = page(f"api/{name}", f"{name}: API", body)
    pictures = [ROOT / "docs" / "atlas.png", *sorted((ROOT / "docs").rglob("*.svg"))]
    files |= {picture.name: picture.read_bytes() for picture in pictures}
    if atlas is not None:
        files |= {f"atlas/{path.relative_to(atlas).as_posix()}": path.read_bytes() for path in sorted(atlas.rglob("*")) if path.is_file()}
    return files


def write(out: Path, atlas: Path | None) -> list[str]:
    """Write the site to a folder of its own; what is wrong with its links."""
    mark = out / ".separatrix-site"
    if out.exists() and any(out.iterdir()) and not mark.exists():
        return [f"{out} holds other files: expected a new folder, an empty one, or an older site"]
    shutil.rmtree(out, ignore_errors=True)
    for name, content in {mark.name: b"", **site(atlas)}.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return faults(out)


def main(arguments: list[str]) -> int:
    """Write the site, and name its page; 1 where a link is wrong."""
    parser = argparse.ArgumentParser(prog="python -m docs.site")
    parser.add_argument("--atlas", type=Path, help="A folder with an atlas; without it the site has none.")
    parser.add_argument("--out", type=Path, default=Path("site"))
    chosen = parser.parse_args(arguments)
    if chosen.atlas is not None and not (chosen.atlas / "index.html").is_file():
        parser.error(f"{str(chosen.atlas)!r} holds no atlas: `make run` writes one")
    wrong = write(chosen.out, chosen.atlas)
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    print((chosen.out / "index.html").resolve())
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
