"""What `vault.yaml` may say: names, types and limits, as Pydantic models over the defaults in `config`.

Imported only when a configuration has to be validated: Pydantic takes longer to import than a warm search takes.
"""

from __future__ import annotations

import math
import re
import types
import unicodedata
import zoneinfo
from typing import Annotated, Literal, Self, Union, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from reme_cli.config import (
    CATCH_ALL_BUCKET,
    DEFAULT_BUCKETS,
    BudgetConfig,
    Config,
    DreamConfig,
    EmbeddingConfig,
    FailOn,
    FoldersConfig,
    Language,
    LinkResolution,
    LlmConfig,
    MaintainConfig,
)
from reme_cli.config.document import Plain
from reme_cli.config.phrasing import parse_phrasing

DEFAULTS = Config()
BUCKET_NAME = re.compile(r"[^\W_][\w-]{0,63}")
# Windows reserves these names in every folder, with any extension
RESERVED_NAME = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
RESERVED_FOLDERS = frozenset({"prompts", "node_modules"})


def _whole_number(value: object) -> object:
    if isinstance(value, Plain) and re.fullmatch(r"[+-]?\d+(?:_\d+)*", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"expected a whole number, found {shown(value)}")


def _number(value: object) -> object:
    if isinstance(value, Plain):
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return number
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise ValueError(f"expected a number, found {shown(value)}")


def _text(value: object) -> object:
    if isinstance(value, str):
        return str(value)
    raise ValueError(f"expected text, found {shown(value)}")


def _several(value: object) -> object:
    # a variable or an option writes a list as `a, b`
    if isinstance(value, Plain):
        return [Plain(part.strip()) for part in value.split(",") if part.strip()]
    if isinstance(value, list | tuple):
        return list(value)
    raise ValueError(f"expected a list, found {shown(value)}")


def shown(value: object) -> str:
    """A value as a message tells of it."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, Plain):
        return f"`{value}`"
    return f"the text `{value}`"


def _folder(value: str) -> str:
    name = unicodedata.normalize("NFC", value).strip("/")
    parts = name.split("/")
    if value.startswith("/") or "\\" in value or re.match(r"[A-Za-z]:", value) or "\0" in value:
        raise ValueError("a folder is written relative to the vault, with `/`")
    if any(part in {"", ".", ".."} for part in parts):
        raise ValueError("a folder must lie inside the vault, and not be the vault itself")
    if any(RESERVED_NAME.match(part) for part in parts) or parts[0].casefold() in RESERVED_FOLDERS:
        raise ValueError(f"`{value}` is a reserved name")
    return name


def _visible_folder(value: str) -> str:
    name = _folder(value)
    if any(part.startswith(".") for part in name.split("/")):
        raise ValueError("folders that start with a dot are never read as notes")
    return name


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise ValueError("expected the address of a server, such as `http://localhost:11434/v1`")
    if parts.username or parts.password or "@" in parts.netloc:
        raise ValueError(
            "an address must not hold a user name or password; secrets come from the environment"
        )
    if parts.query or parts.fragment:
        # requests go to paths below it; and what follows a `?` is often a key, which `reme config` would print
        raise ValueError("an address must end with its path; secrets come from the environment")
    return value


def _predicate(value: str) -> str:
    name = unicodedata.normalize("NFC", value).lower().replace("-", "_")
    if not re.fullmatch(r"[^\W\d_][\w]*", name):
        raise ValueError(f"`{value}` cannot name a predicate: a letter, then letters, digits, `-` and `_`")
    return name


def _phrasing(value: str) -> str:
    parse_phrasing(value)
    return value


Count = Annotated[int, BeforeValidator(_whole_number)]
Number = Annotated[float, BeforeValidator(_number)]
Text = Annotated[str, BeforeValidator(_text)]
Address = Annotated[Text, AfterValidator(_address)]
NotesFolder = Annotated[Text, AfterValidator(_visible_folder)]
AnyFolder = Annotated[Text, AfterValidator(_folder)]
Layer = Literal["daily", "resource"]
PredicateName = Annotated[str, AfterValidator(_predicate)]
PhrasingLine = Annotated[Text, AfterValidator(_phrasing)]


def _default_buckets() -> dict[str, str | None]:
    return {**DEFAULT_BUCKETS}


def _default_inputs() -> list[Layer]:
    return ["daily"]


def allows_none(annotation: object) -> bool:
    """Whether `None` is one of the values this field type admits."""
    if get_origin(annotation) in {Union, types.UnionType}:
        return types.NoneType in get_args(annotation)
    return annotation is types.NoneType


class Section(BaseModel):
    """A mapping with known keys. A key without a value means its default, unless `null` says something there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, values: object) -> object:
        if values is None:
            return {}
        if not isinstance(values, dict):
            raise ValueError(f"expected a mapping (`key: value` pairs), found {shown(values)}")
        fields = cls.model_fields
        return {
            key: value
            for key, value in values.items()
            if value is not None or key not in fields or allows_none(fields[key].annotation)
        }


class FoldersSection(Section):
    daily: NotesFolder = FoldersConfig().daily
    resource: NotesFolder = FoldersConfig().resource
    digest: NotesFolder = FoldersConfig().digest
    metadata: AnyFolder = FoldersConfig().metadata

    @model_validator(mode="after")
    def _apart(self) -> Self:
        names = self.model_dump()
        for one, place in names.items():
            for other, elsewhere in names.items():
                inside = f"{place.casefold()}/".startswith(f"{elsewhere.casefold()}/")
                if one != other and inside:
                    raise ValueError(
                        f"`{one}` ({place}) and `{other}` ({elsewhere}) must be separate folders"
                    )
        return self


class DigestSection(Section):
    buckets: dict[str, Text | None] = Field(default_factory=_default_buckets)

    @field_validator("buckets", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if not isinstance(value, dict):
            raise ValueError(f"expected a mapping (`name: description`), found {shown(value)}")
        names = {unicodedata.normalize("NFC", name): text for name, text in value.items()}
        for name in names:
            if not BUCKET_NAME.fullmatch(name) or RESERVED_NAME.match(name):
                raise ValueError(f"`{name}` cannot name a bucket: use letters, digits, `-` and `_`")
        if len({name.casefold() for name in names}) < len(value):
            raise ValueError("two buckets have the same name")
        return names

    @field_validator("buckets", mode="after")
    @classmethod
    def _complete(cls, value: dict[str, str | None]) -> dict[str, str]:
        described = {name: text or DEFAULT_BUCKETS.get(name, "") for name, text in value.items()}
        described.setdefault(CATCH_ALL_BUCKET, DEFAULT_BUCKETS[CATCH_ALL_BUCKET])
        return described


class LinksSection(Section):
    resolution: LinkResolution = DEFAULTS.links.resolution


class BudgetSection(Section):
    usd: Annotated[Number, Field(ge=0)] | None = BudgetConfig().usd
    tokens: Annotated[Count, Field(ge=1)] | None = BudgetConfig().tokens


class LlmSection(Section):
    model: Text | None = None
    api_base: Address | None = None
    temperature: Annotated[Number, Field(ge=0, le=2)] | None = None
    timeout: Annotated[Number, Field(gt=0)] = LlmConfig().timeout
    concurrency: Annotated[Count, Field(ge=1, le=64)] = LlmConfig().concurrency
    max_input_tokens: Annotated[Count, Field(ge=100)] = LlmConfig().max_input_tokens
    budget: BudgetSection = Field(default_factory=BudgetSection)


class EmbeddingBudgetSection(Section):
    usd: Annotated[Number, Field(ge=0)] | None = EmbeddingConfig().budget.usd
    tokens: Annotated[Count, Field(ge=1)] | None = EmbeddingConfig().budget.tokens


class EmbeddingSection(Section):
    model: Annotated[Text, AfterValidator(str.strip)] | None = None
    api_base: Address | None = None
    dimensions: Annotated[Count, Field(ge=1, le=65_536)] | None = None
    batch: Annotated[Count, Field(ge=1, le=2048)] = EmbeddingConfig().batch
    max_input_tokens: Annotated[Count, Field(ge=50)] = EmbeddingConfig().max_input_tokens
    budget: EmbeddingBudgetSection = Field(default_factory=EmbeddingBudgetSection)


class DreamSection(Section):
    scan_days: Annotated[Count, Field(ge=1, le=3660)] = DreamConfig().scan_days
    max_units: Annotated[Count, Field(ge=1)] = DreamConfig().max_units
    topic_count: Annotated[Count, Field(ge=0)] = DreamConfig().topic_count
    topic_diversity_days: Annotated[Count, Field(ge=0)] = DreamConfig().topic_diversity_days
    inputs: Annotated[list[Layer], BeforeValidator(_several), Field(min_length=1)] = Field(
        default_factory=_default_inputs
    )

    @field_validator("inputs")
    @classmethod
    def _once(cls, value: list[Layer]) -> list[Layer]:
        return list(dict.fromkeys(value))


class MaintainSection(Section):
    overload_tokens: Annotated[Count, Field(ge=1)] = MaintainConfig().overload_tokens


class RelevanceSection(Section):
    sources: Annotated[Number, Field(ge=0)] = DEFAULTS.relevance.sources
    neighbours: Annotated[Number, Field(ge=0)] = DEFAULTS.relevance.neighbours
    bucket: Annotated[Number, Field(ge=0)] = DEFAULTS.relevance.bucket
    words: Annotated[Number, Field(ge=0)] = DEFAULTS.relevance.words


class LayerWeights(Section):
    digest: Annotated[Number, Field(ge=0)] = DEFAULTS.search.layers["digest"]
    daily: Annotated[Number, Field(ge=0)] = DEFAULTS.search.layers["daily"]
    resource: Annotated[Number, Field(ge=0)] = DEFAULTS.search.layers["resource"]


class SearchSection(Section):
    layers: LayerWeights = Field(default_factory=LayerWeights)
    alpha: Annotated[Number, Field(ge=0, le=1)] = DEFAULTS.search.alpha
    damping: Annotated[Number, Field(ge=0, lt=1)] = DEFAULTS.search.damping
    centrality: Annotated[Number, Field(ge=0)] = DEFAULTS.search.centrality


class LintSection(Section):
    select: Annotated[list[Text], BeforeValidator(_several)] = Field(default_factory=list)
    ignore: Annotated[list[Text], BeforeValidator(_several)] = Field(default_factory=list)
    per_path: dict[str, Annotated[list[Text], BeforeValidator(_several)]] = Field(default_factory=dict)
    fail_on: FailOn = DEFAULTS.lint.fail_on
    pending_days: Annotated[Count, Field(ge=0)] = DEFAULTS.lint.pending_days

    @field_validator("per_path", mode="before")
    @classmethod
    def _by_pattern(cls, value: object) -> object:
        if isinstance(value, dict):
            return {unicodedata.normalize("NFC", pattern): words for pattern, words in value.items()}
        raise ValueError(f"expected a mapping (`pattern: rules`), found {shown(value)}")


class VaultYaml(Section):
    """The whole file."""

    timezone: Text | None = None
    language: Language = DEFAULTS.language
    folders: FoldersSection = Field(default_factory=FoldersSection)
    digest: DigestSection = Field(default_factory=DigestSection)
    links: LinksSection = Field(default_factory=LinksSection)
    ignore: Annotated[list[Text], BeforeValidator(_several)] = Field(default_factory=list)
    predicates: dict[PredicateName, Annotated[list[PhrasingLine], BeforeValidator(_several)]] = Field(
        default_factory=dict
    )
    llm: LlmSection = Field(default_factory=LlmSection)
    embedding: EmbeddingSection = Field(default_factory=EmbeddingSection)
    dream: DreamSection = Field(default_factory=DreamSection)
    maintain: MaintainSection = Field(default_factory=MaintainSection)
    relevance: RelevanceSection = Field(default_factory=RelevanceSection)
    search: SearchSection = Field(default_factory=SearchSection)
    lint: LintSection = Field(default_factory=LintSection)

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            zoneinfo.ZoneInfo(value)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"`{value}` is no time zone; write one such as `Europe/Berlin`") from error
        return value


def keys_at(path: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that the mapping at this key path may have; empty where any key goes or there is no mapping."""
    model: type[BaseModel] = VaultYaml
    for part in path:
        child = model.model_fields.get(part)
        annotation = child.annotation if child else None
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return ()
        model = annotation
    return tuple(model.model_fields)
