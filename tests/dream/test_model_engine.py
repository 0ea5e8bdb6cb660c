"""What the model engine asks for, and what it makes of the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reme_cli.dream.model_engine import SHOWN_SOURCE
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.vault import Vault
from tests.dream.conftest import DAY, run, with_model
from tests.plausible_model import material_of, plausible, role_of
from tests.scripted_model import Reply, Request, Script, ScriptedModel, calls, json_text

Serve = Callable[[Script], ScriptedModel]
MakeVault = Callable[..., Vault]

FOLDER = f"daily/{DAY.isoformat()}"
KEYS = f"{FOLDER}/keys.md"
CALL = f"{FOLDER}/call.md"
TEXT = "# Keys\n\nWe publish the new signing key first, then we switch the signer.\n"
OTHER = "# Call\n\nLena says as well that the key is published before the signer switches.\n"
KNOWN = "digest/procedure/rotate-signing-keys.md"
KNOWN_TEXT = (
    "---\nname: Rotate signing keys\ndescription: In which order.\n---\n\nPublish first, then switch.\n\n"
    f"## Sources\n\n- derived_from:: [[{KEYS}]]\n"
)
UNIT = {
    "name": "Rotate signing keys",
    "bucket": "procedure",
    "summary": "Publish the new key, then switch the signer.",
    "paths": [KEYS, CALL],
    "keywords": ["signing keys"],
}


def extraction(*units: dict[str, Any], topics: list[dict[str, Any]] | None = None) -> Reply:
    return json_text({"units": list(units), "topics": topics or []})


def end(action: str, path: str = KNOWN) -> Reply:
    return json_text({"action": action, "path": path, "reason": "because"})


def objects_in(schema: object) -> list[dict[str, Any]]:
    """Every object schema inside a JSON Schema."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects_in(part)]
    if not isinstance(schema, dict):
        return []
    inner = [found for part in schema.values() for found in objects_in(part)]
    return [schema, *inner] if schema.get("type") == "object" else inner


def test_the_schema_is_fit_for_strict_mode_and_asks_for_every_part(serve: Serve, vault_of: MakeVault) -> None:
    server = serve([extraction()])
    run(vault_of({KEYS: TEXT}, with_model(server)), engine="llm")
    sent = server.requests[0].body["response_format"]["json_schema"]
    assert sent["strict"] is True
    objects = objects_in(sent["schema"])
    assert len(objects) == 3
    for shape in objects:
        assert shape["additionalProperties"] is False
        assert shape["required"] == list(shape["properties"])
        for part in shape["properties"].values():
            assert part["type"] in {"string", "array"}, "nothing may be null"
            assert "default" not in part


def test_the_stable_part_is_the_same_for_every_day_and_unit(serve: Serve, vault_of: MakeVault) -> None:
    server = serve(plausible)
    day_before = DAY.replace(day=DAY.day - 1)
    files = {KEYS: TEXT, CALL: OTHER, f"daily/{day_before.isoformat()}/x.md": "# X\n\nThe parser is slow.\n"}
    run(vault_of(files, with_model(server)), day_before, DAY, engine="llm", hint="keys")
    stable: dict[str, set[tuple[str, str]]] = {}
    for request in server.requests:
        tools = str(request.body.get("tools"))
        stable.setdefault(role_of(request), set()).add((request.system, tools))
    assert {role: len(parts) for role, parts in stable.items()} == {"extract": 1, "integrate": 1}


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("# Keys\n\nSee [[signing]].\n", True),
        (f"# Keys\n\nSee [[{CALL}]].\n", False),
        ("# Keys\n\nSee [[nowhere]] and [a page](https://example.org/a.md).\n", False),
    ],
)
def test_reading_is_offered_only_where_something_else_is_linked(
    serve: Serve, vault_of: MakeVault, text: str, offered: bool
) -> None:
    server = serve([extraction()])
    vault = vault_of({KEYS: text, CALL: OTHER, "resource/signing.md": "# Signing\n"}, with_model(server))
    run(vault, engine="llm")
    assert server.requests[0].tools == (("read",) if offered else ())


def test_a_corroboration_needs_no_words(serve: Serve, vault_of: MakeVault) -> None:
    read = calls(("read", {"path": KNOWN}))
    server = serve([extraction(UNIT), read, end("CORROBORATE")])
    vault = vault_of({KEYS: TEXT, CALL: OTHER, KNOWN: KNOWN_TEXT}, with_model(server))
    report = run(vault, engine="llm")
    assert [(unit.action, unit.path) for unit in report.units] == [("CORROBORATE", KNOWN)]
    assert vault.read(KNOWN).text == KNOWN_TEXT + f"- derived_from:: [[{CALL}]]\n"


def test_what_was_not_read_is_not_corroborated(serve: Serve, vault_of: MakeVault) -> None:
    server = serve([extraction(UNIT), end("CORROBORATE"), end("CORROBORATE")])
    vault = vault_of({KEYS: TEXT, CALL: OTHER, KNOWN: KNOWN_TEXT}, with_model(server))
    report = run(vault, engine="llm")
    assert report.exit_code == 1
    assert "was not read" in server.requests[2].last
    assert vault.read(KNOWN).text == KNOWN_TEXT


@pytest.mark.parametrize("count", [1, 10])
def test_the_sources_leave_room_for_what_the_model_reads(
    serve: Serve, vault_of: MakeVault, count: int
) -> None:
    paths = [f"{FOLDER}/{number}.md" for number in range(count)]
    server = serve([extraction({**UNIT, "paths": paths}), end("SKIP", "digest/none.md")] + [end("SKIP")] * 2)
    long = "# Long\n\n" + "The parser is slow because it copies each line.\n" * 500
    run(vault_of(dict.fromkeys(paths, long), with_model(server, max_input_tokens=60_000)), engine="llm")
    shown = [text for label, text in material_of(server.requests[1]) if label in paths]
    assert len(shown) == count
    sizes = [estimate_tokens(text) for text in shown]
    assert sum(sizes) <= 33_000
    assert min(sizes) == pytest.approx(SHOWN_SOURCE if count == 1 else 3_000, rel=0.1)
    assert f"read {paths[0]} from start_line=" in shown[0]


def test_of_two_like_candidates_the_one_named_exactly_is_chosen(serve: Serve, vault_of: MakeVault) -> None:
    def topic(title: str, keyword: str) -> dict[str, Any]:
        return {"title": title, "reason": "It is.", "evidence": KEYS, "keywords": [keyword], "paths": [KEYS]}

    found = [
        topic("Release branch red because of resume", "resume"),
        topic("Release branch", "branch"),
        topic("Ask Lena about holidays", "Lena"),
        topic("Coffee machine leaks again", "coffee"),
    ]

    def script(request: Request) -> Reply:
        if role_of(request) == "extract":
            return extraction(topics=found)
        return json_text({"topics": [{"title": "Release branch", "evidence": KEYS}]})

    report = run(vault_of({KEYS: TEXT}, with_model(serve(script))), engine="llm")
    assert [chosen.title for chosen in report.days[0].topics] == ["Release branch"]


@pytest.mark.parametrize("spelled", [f"`{KEYS}`", f"./{KEYS}", KEYS.removesuffix(".md"), f'"{KEYS}"'])
def test_a_path_is_known_whatever_stands_around_it(serve: Serve, vault_of: MakeVault, spelled: str) -> None:
    server = serve(
        lambda request: (
            extraction({**UNIT, "paths": [spelled]}) if role_of(request) == "extract" else plausible(request)
        )
    )
    report = run(vault_of({KEYS: TEXT}, with_model(server)), engine="llm")
    assert [unit.action for unit in report.units] == ["CREATE"]
    assert report.warnings == ()
