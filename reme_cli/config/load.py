"""Reads `vault.yaml`, `REME_*` and options into a `Config`, with the origin of every value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from reme_cli.config import Config
from reme_cli.config.effective import Loaded, config_from, flatten
from reme_cli.errors import ConfigError
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from reme_cli.config.document import Document, KeyPath

FILE_NAME = "vault.yaml"
VARIABLE_PREFIX = "REME_"
OTHER_VARIABLES = frozenset({"REME_VAULT", "REME_SHARED"})
"""`REME_*` variables that are no configuration: where the vault is, and where the tests find their material."""

# not `max_tokens`, which is a slip for a setting
_SECRET_KEY = regex(
    r"(?:.*[_-])?(?:api[_-]?key|key|password|secret)s?|(?:api|access|auth)?[_-]?token", re.IGNORECASE
)


def load_config(
    root: Path, env: Mapping[str, str], options: Mapping[str, str | None] | None = None
) -> Loaded:
    """The effective configuration of the vault at `root`.

    `options` holds values from the command line by dotted key (`dream.max_units`); `None` is an option not given.
    Raises `ConfigError` with file and line, variable or option.
    """
    given = {key: value for key, value in (options or {}).items() if value is not None}
    data = read_file(root)
    variables = config_variables(env)
    if data is None and not variables and not given:
        config = Config()
        return Loaded(config, dict.fromkeys(dict(flatten(config)), "default"))

    from reme_cli.config import cache  # a vault without a setting has no use for it

    key = cache.key_of(data, variables)
    if not given and (known := cache.load(root, data, key)) is not None:
        return known
    loaded = validate(root, data or b"", variables, given)
    if not given:
        cache.save(root, key, loaded)
    return loaded


def read_file(root: Path) -> bytes | None:
    """The bytes of `vault.yaml`; `None` where there is none."""
    path = root / FILE_NAME
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            hint="Make it a readable file, or remove it: every key has a default.",
        ) from error


def config_variables(env: Mapping[str, str]) -> dict[str, str]:
    """The `REME_*` variables that are configuration, by name, in sorted order."""
    return {
        name: env[name]
        for name in sorted(env)
        if name.startswith(VARIABLE_PREFIX) and name not in OTHER_VARIABLES
    }


def validate(root: Path, data: bytes, variables: Mapping[str, str], options: Mapping[str, str]) -> Loaded:
    """The configuration that file, variables and options give together, the later before the earlier."""
    # Pydantic takes longer to import than a warm search takes; the validated result is cached
    from pydantic import ValidationError

    from reme_cli.config.document import Document, parse_document, parse_value
    from reme_cli.config.schema import VaultYaml

    name = str(root / FILE_NAME)
    document = parse_document(data, name) if data else Document()
    places: dict[KeyPath, str] = {}
    for variable, text in variables.items():
        path = tuple(part.lower() for part in variable.removeprefix(VARIABLE_PREFIX).split("__"))
        _put(document.values, path, parse_value(text, variable), variable)
        places[path] = variable
    for key, text in options.items():
        path = tuple(key.split("."))
        spelling = "--" + path[-1].replace("_", "-")
        _put(document.values, path, parse_value(text, spelling), spelling)
        places[path] = spelling
    try:
        valid = VaultYaml.model_validate(document.values)
    except ValidationError as error:
        # without its cause: a traceback would show the value, which may be a key
        raise _explained(error, document, places, name) from None
    config = config_from(valid.model_dump())
    return Loaded(config, _origins(config, document, places))


def _put(values: dict[str, object], path: KeyPath, value: object, spelling: str) -> None:
    """Sets one value in the nested mapping, making the mappings on the way."""
    for depth, part in enumerate(path[:-1]):
        child = values.get(part)
        if child is None:
            child = values[part] = {}
        if not isinstance(child, dict):
            from reme_cli.config.redaction import masked  # only a mistake is told

            above = masked(".".join(path[: depth + 1]))
            raise ConfigError(f"sets a key below `{above}`, which is no mapping", where=spelling)
        values = cast("dict[str, object]", child)
    values[path[-1]] = value


def _origins(config: Config, document: Document, places: Mapping[KeyPath, str]) -> dict[str, str]:
    origins = {}
    for key, _value in flatten(config):
        path = tuple(key.split("."))
        # a list or a mapping given as a whole is the origin of what it holds
        prefixes = [path[:length] for length in range(len(path), 0, -1)]
        override = next((places[prefix] for prefix in prefixes if prefix in places), None)
        line = document.lines.get(path)
        origins[key] = override or (f"{FILE_NAME}:{line}" if line else "default")
    return origins


def _explained(
    error: ValidationError, document: Document, places: Mapping[KeyPath, str], name: str
) -> ConfigError:
    """The first thing that is wrong, where it stands, and the nearest thing that would be right; no key is repeated."""
    from reme_cli.config.redaction import masked
    from reme_cli.config.schema import keys_at

    problem = error.errors(include_url=False)[0]
    path = tuple(str(part) for part in problem["loc"] if part not in {"[key]", "function-before"})
    prefixes = [path[:length] for length in range(len(path), 0, -1)]
    place = next((places[prefix] for prefix in prefixes if prefix in places), None)
    line = next((document.lines[prefix] for prefix in prefixes if prefix in document.lines), None)
    where = place or (f"{name}:{line}" if line else name)
    key = masked(".".join(path))
    if problem["type"] == "extra_forbidden":
        if _SECRET_KEY.fullmatch(path[-1]):
            hint = "Secrets come from the environment only, such as OPENAI_API_KEY; remove the key and its value here."
            return ConfigError(f"`{key}` is not a setting", where=where, hint=hint)
        known = keys_at(path[:-1])
        return ConfigError(
            f"unknown key `{key}`", where=where, hint=_nearest(path, known, is_variable=path in places)
        )
    return ConfigError(f"`{key}`: {masked(_complaint(problem))}", where=where)


def _complaint(problem: ErrorDetails) -> str:
    """Pydantic's error in our words, with the value that is wrong."""
    from reme_cli.config.schema import shown

    limits = problem.get("ctx", {})
    found = f"found `{problem['input']}`"
    match problem["type"]:
        case "greater_than_equal":
            return f"must be at least {limits['ge']:g}, {found}"
        case "greater_than":
            return f"must be more than {limits['gt']:g}, {found}"
        case "less_than":
            return f"must be less than {limits['lt']:g}, {found}"
        case "less_than_equal":
            return f"must be at most {limits['le']:g}, {found}"
        case "literal_error":
            allowed = str(limits["expected"]).replace("'", "`")
            return f"expected {allowed}, found {shown(problem['input'])}"
        case "dict_type":
            return f"expected a mapping (`name: value`), found {shown(problem['input'])}"
        case "too_short":
            return "must not be empty"
        case _:
            return problem["msg"].removeprefix("Value error, ")


def _nearest(path: KeyPath, known: tuple[str, ...], *, is_variable: bool) -> str:
    import difflib

    from reme_cli.config.schema import VaultYaml

    if is_variable:
        names = [
            "REME_" + key.upper().replace(".", "__")
            for key, _ in flatten(config_from(VaultYaml().model_dump()))
        ]
        wanted = "REME_" + "__".join(path).upper()
        # the usual slip: REME_LLM_MODEL for REME_LLM__MODEL
        close = [name for name in names if name.replace("__", "_") == wanted.replace("__", "_")]
        close = close or difflib.get_close_matches(wanted, names, 1, 0.6)
        return f"Did you mean {close[0]}?" if close else "`reme config` lists every setting."
    close = difflib.get_close_matches(path[-1], known, 1, 0.6)
    above = "".join(f"{part}." for part in path[:-1])
    if close:
        return f"Did you mean `{above}{close[0]}`?"
    return "Known here: " + ", ".join(f"`{name}`" for name in known) + "."
