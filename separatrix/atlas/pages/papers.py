"""One page for each paper: every statement with its place, its status, its errata, its code and its certificates."""

from __future__ import annotations

from collections import Counter

from separatrix.atlas.page import Page, Section, paper_path, slug
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.papers import PAPERS, Statement, statements
from separatrix.papers.statement import Status

REFERENCES = {  # paper -> its name in the navigation, and its authors and title
    "bhattamishra2024": (
        "Bhattamishra et al. 2024",
        "Satwik Bhattamishra, Michael Hahn, Phil Blunsom, Varun Kanade: Separations in the Representational Capabilities of Transformers "
        "and Recurrent Architectures, 2024",
    ),
    "hahn2020": ("Hahn 2020", "Michael Hahn: Theoretical Limitations of Self-Attention in Neural Sequence Models, 2020"),
    "wen2024": (
        "Wen et al. 2024",
        "Kaiyue Wen, Xingyu Dang, Kaifeng Lyu: RNNs are not Transformers (Yet): The Key Bottleneck on In-context Retrieval, 2024",
    ),
    "yang2024": ("Yang et al. 2024", "Kai Yang et al.: Do Efficient Transformers Really Save Computation?, 2024"),
}
STATUSES: dict[Status, str] = {
    "built": "exact weights",
    "bounded": "a bound that runs",
    "measured": "numbers from experiments",
    "stated": "on record, no code of its own",
    "open": "nobody knows",
}


def paper_pages(certificates: tuple[CertificateFile, ...]) -> list[Page]:
    """The pages of all papers."""
    return [paper_page(paper, certificates) for paper in PAPERS]


def paper_page(paper: str, certificates: tuple[CertificateFile, ...]) -> Page:
    """The page of one paper."""
    found = statements(paper)
    short, reference = REFERENCES.get(paper, (paper, paper))
    counts = Counter(s.status for s in found)
    content = {
        "rows": [(slug(name(s)), name(s), s, [c for c in certificates if c.cites == s.key]) for s in found],
        "statuses": [(status, counts[status], meaning) for status, meaning in STATUSES.items() if counts[status]],
        "errata": sum(len(s.errata) for s in found),
    }
    lead = f"{reference}. Every statement in our own words. Where the paper leaves something without a number, the number is ours."
    section = Section("statements", f"{len(found)} statements", "paper.html", content)
    return Page(paper_path(paper), short, short, "Papers", lead, (section,))


def name(statement: Statement) -> str:
    """A key without its paper: `Theorem 1`."""
    return statement.key.partition(" ")[2]
