"""The effective configuration: `vault.yaml`, overridden by `REME_*`, overridden by options.

These are plain frozen values that any module may use. Loading and validation live in `config.load`. They are named
tuples, since every command imports them, and a frozen dataclass takes five times as long to define.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_BUCKETS: Mapping[str, str] = {
    "procedure": "How to do something",
    "personal": "Preferences, facts and conventions of people, teams and projects",
    "wiki": "Concepts, observations, decision precedents",
}
CATCH_ALL_BUCKET = "wiki"
NO_PHRASINGS: Mapping[str, tuple[str, ...]] = {}
NO_PATHS: Mapping[str, tuple[str, ...]] = {}
DEFAULT_LAYERS: Mapping[str, float] = {"digest": 1.0, "daily": 0.7, "resource": 0.5}

Language = Literal["auto", "en", "zh"]
LinkResolution = Literal["obsidian", "literal"]
FailOn = Literal["error", "warning", "never"]


class FoldersConfig(NamedTuple):
    """Vault-relative folder names of the layers, without slashes at either end."""

    daily: str = "daily"
    resource: str = "resource"
    digest: str = "digest"
    metadata: str = "metadata"


class DigestConfig(NamedTuple):
    """Buckets by name, each with the description a model is given. `wiki` is always among them."""

    buckets: Mapping[str, str] = DEFAULT_BUCKETS


class LinksConfig(NamedTuple):
    """How a link target is resolved."""

    resolution: LinkResolution = "obsidian"


class BudgetConfig(NamedTuple):
    """Limits for one run; `None` is no limit."""

    usd: float | None = 0.50
    tokens: int | None = 400_000


class LlmConfig(NamedTuple):
    """The model and how it is called. `timeout` is in seconds, `max_input_tokens` in estimated tokens."""

    model: str | None = None
    api_base: str | None = None
    temperature: float | None = None
    timeout: float = 120.0
    concurrency: int = 4
    max_input_tokens: int = 60_000
    budget: BudgetConfig = BudgetConfig()


class EmbeddingConfig(NamedTuple):
    """The embedding model and how passages are given to it; without one, search is lexical and by links only.

    `api_base` and `dimensions` are the provider's own where they are `None`, the former after `llm.api_base`; `batch` is
    passages in one request, `max_input_tokens` the most estimated tokens of one passage, or of each part it is cut into.
    """

    model: str | None = None
    api_base: str | None = None
    dimensions: int | None = None
    batch: int = 64
    max_input_tokens: int = 400
    budget: BudgetConfig = BudgetConfig(usd=0.50, tokens=20_000_000)


class DreamConfig(NamedTuple):
    """Defaults of `auto_dream`'s options. `inputs` holds `daily` and, if wished, `resource`."""

    scan_days: int = 1
    max_units: int = 8
    topic_count: int = 3
    topic_diversity_days: int = 7
    inputs: tuple[str, ...] = ("daily",)


class MaintainConfig(NamedTuple):
    """`overload_tokens`: above this many estimated tokens a note may be overloaded (D3)."""

    overload_tokens: int = 2000


class RelevanceConfig(NamedTuple):
    """How `auto_link level=l2` weighs what speaks for a link between two notes (`linking.relevance`)."""

    sources: float = 4.0
    """Each source that both notes are drawn from;"""
    neighbours: float = 1.5
    """Adamic–Adar over what both are linked with;"""
    bucket: float = 1.0
    """the same bucket of the digest;"""
    words: float = 4.0
    """and the share of the words that they have in common."""


class SearchConfig(NamedTuple):
    """How `search` mixes scores (`search.score`): a factor for each layer, the share of what a note itself says, how far the walk
    along links goes, and what being linked to adds."""

    layers: Mapping[str, float] = DEFAULT_LAYERS
    alpha: float = 0.7
    damping: float = 0.85
    centrality: float = 0.05


class LintConfig(NamedTuple):
    """Which rules `lint` runs where, and when it fails. Rules are named by code, the beginning of a code, or slug."""

    select: tuple[str, ...] = ()
    """Empty: all."""
    ignore: tuple[str, ...] = ()
    per_path: Mapping[str, tuple[str, ...]] = NO_PATHS
    """Rules that do not count in the paths that a gitignore pattern matches."""
    fail_on: FailOn = "warning"
    pending_days: int = 7
    """An input that waits longer than this is a finding."""


class Config(NamedTuple):
    """Everything `vault.yaml` can say, with every default filled in. `timezone` is an IANA name or `None`: the system's."""

    timezone: str | None = None
    language: Language = "auto"
    folders: FoldersConfig = FoldersConfig()
    digest: DigestConfig = DigestConfig()
    links: LinksConfig = LinksConfig()
    ignore: tuple[str, ...] = ()
    predicates: Mapping[str, tuple[str, ...]] = NO_PHRASINGS
    """By predicate, the phrasings (`config.phrasing`) that a vault adds to the table."""
    llm: LlmConfig = LlmConfig()
    embedding: EmbeddingConfig = EmbeddingConfig()
    dream: DreamConfig = DreamConfig()
    maintain: MaintainConfig = MaintainConfig()
    relevance: RelevanceConfig = RelevanceConfig()
    search: SearchConfig = SearchConfig()
    lint: LintConfig = LintConfig()
