"""A loaded configuration with the origin of every value, and its flat and nested shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from reme_cli.config import (
    BudgetConfig,
    Config,
    DigestConfig,
    DreamConfig,
    EmbeddingConfig,
    FoldersConfig,
    LinksConfig,
    LintConfig,
    LlmConfig,
    MaintainConfig,
    RelevanceConfig,
    SearchConfig,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Loaded(NamedTuple):
    """`origins` maps each dotted key to `default`, `vault.yaml:3`, a variable's name, or an option's name."""

    config: Config
    origins: Mapping[str, str]


def config_from(values: Mapping[str, Any]) -> Config:
    """The configuration with these validated values, shaped as `nested` gives them.

    Raises `KeyError`, `TypeError` or `ValueError` for any other shape.
    """
    dream, llm, search = dict(values["dream"]), dict(values["llm"]), dict(values["search"])
    embedding = dict(values["embedding"])
    embedding["budget"] = BudgetConfig(**embedding["budget"])
    lint = dict(values["lint"])
    dream["inputs"] = tuple(dream["inputs"])
    llm["budget"] = BudgetConfig(**llm["budget"])
    search["layers"] = dict(search["layers"])
    lint["select"], lint["ignore"] = tuple(lint["select"]), tuple(lint["ignore"])
    lint["per_path"] = {pattern: tuple(words) for pattern, words in lint["per_path"].items()}
    return Config(
        timezone=values["timezone"],
        language=values["language"],
        folders=FoldersConfig(**values["folders"]),
        digest=DigestConfig(buckets=dict(values["digest"]["buckets"])),
        links=LinksConfig(**values["links"]),
        ignore=tuple(values["ignore"]),
        predicates={name: tuple(lines) for name, lines in values["predicates"].items()},
        llm=LlmConfig(**llm),
        embedding=EmbeddingConfig(**embedding),
        dream=DreamConfig(**dream),
        maintain=MaintainConfig(**values["maintain"]),
        relevance=RelevanceConfig(**values["relevance"]),
        search=SearchConfig(**search),
        lint=LintConfig(**lint),
    )


def nested(config: NamedTuple) -> dict[str, object]:
    """The configuration, or a section of it, as dictionaries in dictionaries."""
    return {
        key: nested(cast("NamedTuple", value)) if hasattr(value, "_asdict") else value
        for key, value in config._asdict().items()
    }


def flatten(config: Config) -> Iterator[tuple[str, object]]:
    """Every value with its dotted key, in the order of `vault.yaml`; tuples come as lists."""
    yield from _leaves("", nested(config))


def _leaves(prefix: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _leaves(f"{prefix}.{key}" if prefix else str(key), child)
    else:
        yield prefix, list(value) if isinstance(value, tuple) else value
