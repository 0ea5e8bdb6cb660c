"""The effective configuration: `vault.yaml`, overridden by `REME_*`, overridden by options.

These are plain frozen values that any module may use. Loading and validation live in `config.load`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

DEFAULT_BUCKETS: dict[str, str] = {
    "procedure": "How to do something",
    "personal": "Preferences, facts and conventions of people, teams and projects",
    "wiki": "Concepts, observations, decision precedents",
}
CATCH_ALL_BUCKET = "wiki"

Language = Literal["auto", "en", "zh"]
LinkResolution = Literal["obsidian", "literal"]


@dataclass(frozen=True, slots=True)
class FoldersConfig:
    """Vault-relative folder names of the layers, without slashes at either end."""

    daily: str = "daily"
    resource: str = "resource"
    digest: str = "digest"
    metadata: str = "metadata"


@dataclass(frozen=True, slots=True)
class DigestConfig:
    """Buckets by name, each with the description a model is given. `wiki` is always among them."""

    buckets: dict[str, str] = field(default_factory=lambda: dict(DEFAULT_BUCKETS))


@dataclass(frozen=True, slots=True)
class LinksConfig:
    """How a link target is resolved."""

    resolution: LinkResolution = "obsidian"


@dataclass(frozen=True, slots=True)
class BudgetConfig:
    """Limits for one run; `None` is no limit."""

    usd: float | None = 0.50
    tokens: int | None = 400_000


@dataclass(frozen=True, slots=True)
class LlmConfig:
    """The model and how it is called. `timeout` is in seconds, `max_input_tokens` in estimated tokens."""

    model: str | None = None
    api_base: str | None = None
    temperature: float | None = None
    timeout: float = 120.0
    concurrency: int = 4
    max_input_tokens: int = 60_000
    budget: BudgetConfig = field(default_factory=BudgetConfig)


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """The embedding model; `None` means lexical and graph search only."""

    model: str | None = None


@dataclass(frozen=True, slots=True)
class DreamConfig:
    """Defaults of `auto_dream`'s options. `inputs` holds `daily` and, if wished, `resource`."""

    scan_days: int = 1
    max_units: int = 8
    topic_count: int = 3
    topic_diversity_days: int = 7
    inputs: tuple[str, ...] = ("daily",)


@dataclass(frozen=True, slots=True)
class MaintainConfig:
    """`overload_tokens`: above this many estimated tokens a note may be overloaded (D3)."""

    overload_tokens: int = 2000


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """Score factors by layer."""

    layers: dict[str, float] = field(default_factory=lambda: {"digest": 1.0, "daily": 0.7, "resource": 0.5})


@dataclass(frozen=True, slots=True)
class Config:
    """Everything `vault.yaml` can say, with every default filled in. `timezone` is an IANA name or `None`: the system's."""

    timezone: str | None = None
    language: Language = "auto"
    folders: FoldersConfig = field(default_factory=FoldersConfig)
    digest: DigestConfig = field(default_factory=DigestConfig)
    links: LinksConfig = field(default_factory=LinksConfig)
    ignore: tuple[str, ...] = ()
    llm: LlmConfig = field(default_factory=LlmConfig)
    embedding: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    dream: DreamConfig = field(default_factory=DreamConfig)
    maintain: MaintainConfig = field(default_factory=MaintainConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
