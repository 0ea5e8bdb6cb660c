"""Splitting without a model: sections move word for word, where the note itself is divided, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, MaintainConfig
from reme_cli.maintain.coverage import coverage
from reme_cli.maintain.division import sections
from tests.maintain.test_split import edges, splitting, tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

    VaultOf = Callable[..., Vault]
    Reme = Callable[..., Outcome]

KEYS = (
    "The signing keys of the gateway are rotated every seven days by a scheduled job. It publishes the new public key first, waits "
    "until every verifier has fetched the set, and only then switches the signer. Old keys stay for one day, so that what was issued "
    "before can still be verified. If a verifier caches the set for longer than an hour, the rotation fails and pages an engineer.\n\n"
    "extends:: [[jwt]]\n\n### Emergencies\n\nAn emergency rotation is started with `rotate --now` and skips the waiting time; see "
    "[[#Emergencies]] and ![the order](order.png).\n"
)
STORE = (
    "Refresh tokens of the mobile client live in the system keychain, encrypted with a hardware backed secret. The browser "
    "application prefers a cookie that scripts cannot read, restricted to its own site. Nothing goes to local storage because "
    "extensions may look there. On logout the record disappears from server and device. A lost phone is handled by support: they "
    "revoke the whole family of records of that person. Backups exclude the keychain entry on purpose. Desktop clients reuse "
    "the mobile library and need no special treatment, apart from Linux, where libsecret must be present.\n"
)
HEAD = "---\nname: Tokens\ndescription: All of it.\n---\n\nTokens say who somebody is.\n\n"
SOURCES = "## Sources\n\n- derived_from:: [[daily/2026-06-20.md]]\n- derived_from:: [[lost]]\n"
TEXT = f"{HEAD}## Rotating the keys\n\n{KEYS}\n## Storage\n\n{STORE}\n## Open\n\nWho pays? [[nobody]]\n\n{SOURCES}"
PARENT = "digest/wiki/tokens.md"
ROTATING = "digest/wiki/rotating-the-keys.md"
STORAGE = "digest/wiki/tokens-storage.md"
FILES = {
    PARENT: TEXT,
    "digest/wiki/jwt.md": "---\nname: JWT\ndescription: d\n---\n[[tokens#Storage]]\n",
    "digest/wiki/order.png": b"\x89PNG",
    "daily/2026-06-20.md": "# Saturday\n",
}
SMALL = Config(maintain=MaintainConfig(overload_tokens=260))


def test_long_sections_about_different_things_move(vault_of: VaultOf) -> None:
    vault = vault_of(FILES, SMALL)
    before = edges(vault, PARENT)
    report = splitting(vault, engine="extractive")
    assert [(each.path, each.status, each.coverage) for each in report.outcomes] == [(PARENT, "split", 1.0)]
    assert report.parts == (ROTATING, STORAGE)
    assert KEYS in vault.read(ROTATING).text
    assert STORE in vault.read(STORAGE).text
    assert vault.read(STORAGE).name == "Tokens: Storage", "a heading of one word says little elsewhere"
    assert "derived_from:: [[daily/2026-06-20.md]]" in vault.read(STORAGE).text
    overview = vault.read(PARENT).text
    assert overview.startswith(HEAD)
    assert overview.endswith(f"## Open\n\nWho pays? [[nobody]]\n\n{SOURCES}")
    assert (
        f"## Storage\n\n[[{STORAGE}|Tokens: Storage]]: Refresh tokens of the mobile client live" in overview
    )
    assert before <= edges(vault, PARENT, *report.parts)
    assert report.outcomes[0].stranded == (), "headings stay where links lead to them"


def test_broken_links_may_move_along(vault_of: VaultOf) -> None:
    text = TEXT.replace("extends:: [[jwt]]", "extends:: [[never written]]")
    vault = vault_of({**FILES, PARENT: text}, SMALL)
    assert [each.status for each in splitting(vault, engine="extractive").outcomes] == ["split"]
    assert "extends:: [[never written]]" in vault.read(ROTATING).text


UNDIVIDED = {
    "no headings": f"{HEAD}{KEYS.replace('###', '')}\n{STORE}\n{SOURCES}",
    "one long section": f"{HEAD}## Rotating the keys\n\n{KEYS}{STORE}\n## Open\n\nWho pays?\n\n{SOURCES}",
    "sections about one thing": f"{HEAD}## One\n\n{KEYS}\n## Two\n\n{KEYS.replace('seven', 'nine')}\n{SOURCES}",
    "headings in code": f"{HEAD}```\n## Rotating the keys\n```\n{KEYS.replace('###', '')}\n```\n## Storage\n```\n{STORE}\n{SOURCES}",
}


@pytest.mark.parametrize("name", UNDIVIDED)
def test_anything_else_needs_a_model(vault_of: VaultOf, name: str) -> None:
    vault = vault_of({**FILES, PARENT: UNDIVIDED[name]}, SMALL)
    known = tree(vault.root)
    report = splitting(vault, PARENT, engine="extractive", force=True)
    assert [each.status for each in report.outcomes] == ["undivided"]
    assert "a model is needed" in report.outcomes[0].what
    assert report.exit_code == 3
    assert tree(vault.root) == known


def test_a_taken_name_is_no_obstacle(vault_of: VaultOf) -> None:
    vault = vault_of({**FILES, ROTATING: "---\nname: x\ndescription: d\n---\nElse.\n"}, SMALL)
    report = splitting(vault, engine="extractive")
    assert report.parts == ("digest/wiki/tokens-rotating-the-keys.md", STORAGE)


def test_chinese(vault_of: VaultOf) -> None:
    keys = (
        "网关的签名密钥每隔七天由定时任务轮换。任务先发布新的公钥，等所有验证方取到密钥集合以后才切换签名方。发布窗口期间绝不能轮换，因为工作进程会带着旧缓存重启。"
        * 2
    )
    store = (
        "移动端的刷新令牌保存在系统钥匙串里，用硬件绑定的秘密加密。浏览器应用把它放在脚本读不到的位置。手机丢失时由客服吊销整个家族的记录，五分钟内生效。"
        * 2
    )
    text = f"# 令牌\n\n## 密钥的轮换\n\n{keys}\n\n## 令牌的存储\n\n{store}\n\n## 来源\n\n- derived_from:: [[daily/2026-06-20]]\n"
    vault = vault_of({**FILES, "digest/wiki/令牌.md": text})
    report = splitting(vault, "digest/wiki/令牌.md", engine="extractive", force=True)
    assert report.parts == ("digest/wiki/密钥的轮换.md", "digest/wiki/令牌的存储.md"), report.outcomes
    assert "## 来源\n\n- derived_from::" in vault.read("digest/wiki/令牌的存储.md").text
    texts = [vault.read(path).text for path in ("digest/wiki/令牌.md", *report.parts)]
    assert coverage(text, texts).lost == ()


def test_the_sections_are_those_of_the_highest_level_that_divides() -> None:
    text = "# T\n\n## A\na\n### A1\n\n## B\nb\n\n## References\n\n# U\n"
    assert [text[each.start : each.end] for each in sections(text)] == [
        "# T\n\n## A\na\n### A1\n\n## B\nb\n\n## References\n\n",
        "# U\n",
    ]
    below = text.removesuffix("# U\n")
    assert [(each.heading, below[each.start : each.end]) for each in sections(below)] == [
        ("A", "## A\na\n### A1\n\n"),
        ("B", "## B\nb\n\n"),
    ]


def test_the_command_says_that_a_model_is_needed(vault_of: VaultOf, reme: Reme) -> None:
    files = {**FILES, PARENT: UNDIVIDED["no headings"], "vault.yaml": "maintain: {overload_tokens: 200}\n"}
    vault = vault_of(files)
    done = reme("maintain", "split", "--all", vault=vault.root)
    assert done.code == 3
    assert f"{PARENT}: its headings do not part it" in done.err
    assert "a model is needed\n      Set llm.model in vault.yaml or REME_LLM__MODEL" in done.err
    (vault.root / "vault.yaml").write_text("maintain: {overload_tokens: 200}\nllm: {model: openai/test}\n")
    done = reme("maintain", "split", PARENT, "engine=extractive", vault=vault.root)
    assert "a model is needed\n      engine=llm asks the model of llm.model.\n" in done.err


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("--all", 0, "no note of the digest has more than 2000 tokens\n"),
        (
            "digest/wiki",
            2,
            "reme: error: digest/wiki: is a folder\n      Name notes; `--all` takes every one that is overloaded.\n",
        ),
        (
            "digest/wiki/token",
            2,
            "reme: error: digest/wiki/token: there is no such note or folder\n      Did you mean `digest/wiki/tokens.md`?\n",
        ),
        (f"{PARENT} --force", 0, f"{PARENT}: 100% of its words are found again\n"),
        (
            f"{PARENT} --force --dry-run",
            0,
            f"{PARENT}: 100% of its words are found again\n1 note to split, 2 parts\n",
        ),
    ],
)
def test_what_the_command_tells(vault_of: VaultOf, reme: Reme, line: str, code: int, told: str) -> None:
    done = reme("maintain", "split", *line.split(), vault=vault_of(FILES).root)
    assert done.code == code
    assert told in done.err


def test_a_note_of_very_many_headings_is_divided_in_linear_time() -> None:
    # Quadratic, this would take minutes.
    assert len(sections("# a\n" * 40_000)) == 40_000
