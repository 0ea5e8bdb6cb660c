"""The engine without a model: what it takes from notes, what it leaves, and that it invents nothing."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.config import DEFAULT_BUCKETS
from reme_cli.dream.engine import Assignment, Desk
from reme_cli.dream.extractive import sections, substance
from reme_cli.dream.extractive.bucket import bucket_of
from reme_cli.dream.extractive.engine import ExtractiveEngine
from reme_cli.dream.extractive.naming import description_of, name_of
from reme_cli.dream.extractive.quotation import MARKER, essence, occurs
from reme_cli.dream.extractive.recurrence import _holders
from reme_cli.dream.extractive.salience import background_of, gist_of
from reme_cli.dream.extractive.sections import Line
from reme_cli.dream.extractive.similarity import RELATED, SAME, profile_of, similarity
from reme_cli.dream.extractive.substance import is_prose
from reme_cli.dream.unit import Extraction, Input, Proposal, Unit
from reme_cli.errors import NoteNotFound
from reme_cli.search.hit import NodeHit
from reme_cli.vault.note import Note
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import ABSENT, stamp_of
from reme_cli.vault.wikilink import scan
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping

DAY = "2026-06-20"


@dataclass(slots=True)
class Notes:
    """Notes in memory, dreamed without pipeline and index: recall gives every digest note."""

    texts: dict[str, str]
    engine: ExtractiveEngine = field(init=False)

    def __post_init__(self) -> None:
        days = [
            (match[1], path) for path in self.texts if (match := re.match(r"daily/(\d{4}-\d\d-\d\d)", path))
        ]
        self.engine = ExtractiveEngine(days, self.read)

    def read(self, path: str) -> Note:
        if path not in self.texts:
            raise NoteNotFound("no such note", where=path)
        return Note(path, self.texts[path], stamp_of(self.texts[path].encode()))

    def extract(
        self, day: str = DAY, *, previous: Mapping[str, str] | None = None, max_units: int = 8, hint: str = ""
    ) -> Extraction:
        inputs = [
            Input(path, text, stamp_of(text.encode()), (previous or {}).get(path))
            for path, text in sorted(self.texts.items())
            if path.startswith(f"daily/{day}")
        ]
        names = Names(self.texts)
        return self.engine.extract(
            inputs, Assignment(dt.date.fromisoformat(day), hint, max_units, DEFAULT_BUCKETS, names)
        )

    def propose(self, unit: Unit) -> Proposal:
        recall = tuple(
            NodeHit(path, "", "", 1.0) for path in sorted(self.texts) if path.startswith("digest/")
        )
        return self.engine.propose(
            unit, Desk(recall, self.read, lambda _query, _limit: (), Names(self.texts))
        )

    def dream(self, day: str = DAY) -> list[Proposal]:
        proposals = []
        for unit in self.extract(day).units:
            proposal = self.propose(unit)
            before = self.texts.get(proposal.path)
            assert proposal.expected == (ABSENT if before is None else stamp_of(before.encode()))
            self.texts[proposal.path] = proposal.text
            proposals.append(proposal)
        return proposals


def one_note(text: str, path: str = f"daily/{DAY}/a.md") -> Notes:
    return Notes({path: text})


def said(text: str) -> list[str]:
    """The lines of a digest note that say something, without list markers."""
    body = re.split(r"(?m)^## (?:Related|Sources|相关|来源)$", text[scan(text).body_start :])[0]
    return [MARKER.sub("", line) for line in body.splitlines() if line.strip()]


KEYS = """\
# Rotating the signing key

The gateway signs every token with one key, and the key has not been changed since 2024.
A signing key must be rotated without logging anybody out, so two keys are valid at once.

1. Generate the new key pair in the vault.
2. Publish both public keys and wait until every service has fetched them.
3. Switch the signer to the new key.

```bash
echo "The code of a note is never quoted as prose, however much it reads like it."
```
"""


def test_a_passage_becomes_a_note_of_its_own_sentences() -> None:
    notes = one_note(KEYS)
    (proposal,) = notes.dream()
    assert (proposal.action, proposal.path) == ("CREATE", "digest/procedure/rotating-the-signing-key.md")
    assert proposal.text == (
        "---\n"
        "name: Rotating the signing key\n"
        'description: "The gateway signs every token with one key, and the key has not been changed since 2024."\n'
        "---\n\n"
        "The gateway signs every token with one key, and the key has not been changed since 2024.\n"
        "A signing key must be rotated without logging anybody out, so two keys are valid at once.\n\n"
        "1. Generate the new key pair in the vault.\n"
        "2. Publish both public keys and wait until every service has fetched them.\n"
        "3. Switch the signer to the new key.\n\n"
        "## Sources\n\n"
        f"- derived_from:: [[daily/{DAY}/a.md]]\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# 2026-06-20\n\n## 今天的工作日志\n\n## 今天的灵感或闪念\n",
        "# Links\n\n- [[a]]\n- [[b|see b]]\n- [c](c.md)\n- https://example.org/a/b\n",
        "# Run it\n\n```\nThis is a sentence inside a fence, and it is long enough.\n```\n",
        "# Run it\n\n    This is a sentence in indented code, and it is long enough.\n",
        "# Figures\n\n| node | speed | note |\n|---|---|---|\n| 1 | 2.5 | This is a sentence in a table cell. |\n",
        "# Log\n\n2026-06-20 10:00:01 INFO the service has been started on all of the nodes\n",
        "# Plan\n\n## Next steps\n\n- [ ] We should really write this all down one day.\n",
        "# 2026-06-20\n\n## Log\n\n- Moved the job to the new cluster in the afternoon.\n",
        "# Notes\n\n- Talked about all of this with the team, see [[meeting]].\n",
        "# Typed\n\nrelated_to:: [[a]] and this is all that there is about it\n",
        "# Draft\n\nTODO: write about how the cache is filled in the morning.\n",
        "# Announced\n\nThis is how you would do it on all of the nodes:\n",
        "%% A comment of Obsidian says nothing to anybody but its author. %%\n",
        "<div>A sentence within an HTML block is not a sentence of the note.</div>\n",
        "![[A picture. And one more sentence of the very same kind.png]]\n",
        "---\ntitle: Only frontmatter\ndescription: A sentence in the frontmatter is a property and no prose.\n---\n",
        "",
    ],
)
def test_a_section_without_substance_drops_out(text: str) -> None:
    assert one_note(text).extract().units == ()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A slow provider is worse than a dead one.", True),
        ("慢的渠道比挂掉的渠道更糟糕。", True),
        ("perl -le '$ng=32*4; print $ng'", False),
        ("export CMD=1 and then run the job on all of the nodes", False),
        ("NHIDDEN=12288 / NLAYERS=96", False),
        ("--use-bnb-optimizer is the flag that you have to set", False),
        ("[INFO|trainer.py:907] 2021-05-20 20:16:42 >> the metrics of the run", False),
        ("if [[ ${ROUND} == 1 ]]; then SAMPLES=3200 and so on with all of the others", False),
        ("Training loss throughput batch size sequence length", False),  # a label: no function word
        ("See https://example.org/" + "x" * 90 + " for all of the details of it.", False),
        ("An odd `tick makes the rest of the note code.", False),
        ("The <b>bold</b> one is the one that we are going to take.", False),
        ("A note[^1] that leans on a footnote of its own source.", False),
        ("word " * 100 + "and so on.", False),
    ],
)
def test_what_is_prose(sentence: str, expected: bool) -> None:
    assert is_prose(sentence) is expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "## Dealing with a full disk (envs/README.md)\n\nFind out where the space of the disk is used up.\n",
            "Dealing with a full disk",
        ),
        (
            "## updates (train/README.md)\n\nWatching the logs tells you when a node is stuck. It happens often.\n",
            "Watching the logs tells you when a node is stuck",
        ),
        (
            "## 今天的灵感或闪念\n\n- 笔记很多时候起到类似[[高速缓存]]的作用。当一段时间不使用了，缓存自然失效。\n",
            "笔记很多时候起到类似高速缓存的作用",
        ),
        ("## 今天的灵感或闪念\n\n- [[硬拉]]，不是没事硬拉，而是一个很常见的健身动作。\n", "硬拉"),
        (
            "- **Retry budget**: a share of the normal traffic that may be retried, whatever fails.\n",
            "Retry budget",
        ),
        (
            "## 10:15 Meeting about the gateway\n\nThe gateway owns the retries and the webhook inbox.\n",
            "Meeting about the gateway",
        ),
        (
            "## Backpressure\n\nBackpressure means that a full queue slows its producers down.\n",
            "Backpressure",
        ),
        (
            "## 3. [[digest/wiki/x|Slow]] **providers**:\n\nA slow provider is worse than a dead one for us.\n",
            "Slow providers",
        ),
        (
            "## Notes\n\nWhen the disk is full, the job is killed without a word. Nobody is told about it.\n",
            "When the disk is full, the job is killed without a word",
        ),
        (
            "So it was. The circuit breaker counts errors and not latency, as we found out.\n",
            "The circuit breaker counts errors and not latency",
        ),
        (
            "## Environment\n\nTo launch the whole thing use the script in the shared folder.\n",
            "To launch the whole thing use the script in the shared folder",
        ),
    ],
)
def test_names_are_what_a_person_would_write(text: str, name: str) -> None:
    (unit,) = one_note(text).extract().units
    assert unit.name == name


@pytest.mark.parametrize(
    ("text", "bucket"),
    [
        ("# Hand over\n\n1. Write down the open alerts.\n2. Change the rota in the tool.\n", "procedure"),
        ("# 每日对账\n\n1. 下载前一天的结算文件。\n2. 运行对账任务并等待报告。\n", "procedure"),
        (
            "# How to restart the gateway\n\nRestart one instance at a time and watch the errors.\n",
            "procedure",
        ),
        ("# Wei\n\nWei prefers questions in writing over a call.\n", "personal"),
        ("# 林薇\n\n林薇喜欢先写复现步骤再改代码。我们约定时间一律带时区。\n", "personal"),
        ("# Team conventions\n\nReviews are answered within a working day by the team.\n", "personal"),
        ("# Jitter\n\nRetries without jitter arrive together and overload the provider.\n", "wiki"),
        ("# 背压\n\n背压是指队列满了以后让生产者慢下来，而不是一直变长。\n", "wiki"),
        (
            "# Findings\n\n1. The model is unstable above this learning rate.\n2. The data is much cleaner than it was.\n",
            "wiki",
        ),
    ],
)
def test_buckets(text: str, bucket: str) -> None:
    (passage,) = sections.passages("a.md", text)
    assert bucket_of(passage, DEFAULT_BUCKETS) == bucket
    assert bucket_of(passage, {"wiki": ""}) == "wiki"


def test_a_heading_of_every_day_names_nothing() -> None:
    def page(sentence: str) -> str:
        return f"## Garden observations\n\n{sentence}\n"

    told = "The north pump loses pressure when both valves are open at night."
    days = {
        f"daily/2026-06-{day}.md": page(f"Something about thing {day} was seen again.")
        for day in range(10, 20)
    }
    (unit,) = Notes({**days, f"daily/{DAY}.md": page(told)}).extract().units
    assert unit.name.startswith("The north pump loses pressure")
    (alone,) = Notes({f"daily/{DAY}.md": page(told)}).extract().units
    assert alone.name == "Garden observations"


def test_near_duplicates_across_files_are_one_unit() -> None:
    again = KEYS.replace("Rotating the signing key", "Rotating the signing key again").replace(
        "since 2024", "since the start"
    )
    (unit,) = Notes({f"daily/{DAY}/a.md": KEYS, f"daily/{DAY}/b.md": again}).extract().units
    assert unit.paths == (f"daily/{DAY}/a.md", f"daily/{DAY}/b.md")


def test_what_ranks_below_the_limit_is_left() -> None:
    text = "\n".join(
        f"## Subject {word}\n\nThe {word} is kept in the {word} store of the house.\n"
        for word in ("apple", "birch", "cedar", "daisy")
    )
    everything = one_note(text).extract().units
    assert len(everything) == 4
    assert one_note(text).extract(max_units=2).units == everything[:2]


def test_a_hint_lifts_what_it_names() -> None:
    text = "\n".join(
        f"## Subject {word}\n\nThe {word} is kept in the {word} store of the house.\n"
        for word in ("apple", "birch", "cedar", "daisy")
    )
    for word in ("birch", "daisy"):
        assert one_note(text).extract(max_units=1, hint=f"about {word}").units[0].name == f"Subject {word}"


def test_only_what_is_new_in_a_changed_note_is_taken() -> None:
    more = KEYS + "\n## Alerts\n\nAn alert goes to the owner when a service asks for a key id that is gone.\n"
    path = f"daily/{DAY}/a.md"
    units = Notes({path: more}).extract(previous={path: KEYS}).units
    assert [unit.name for unit in units] == ["Alerts"]
    assert Notes({path: KEYS}).extract(previous={path: KEYS}).units == ()


def test_links_of_a_quote_are_canonical_or_text() -> None:
    notes = Notes(
        {
            f"daily/{DAY}/a.md": (
                "# Duplicate webhooks\n\nA [[duplicate]] webhook is recognised by [[Key#use|its key]], as [the guide](../../resource/guide.md) and"
                " [[Gone|a lost note]] say. Read [the standard](https://example.org/std) on it, or [[two]] of [them](missing.md).\n"
            ),
            "resource/guide.md": "",
            "digest/wiki/key.md": "",
            "a/two.md": "",
            "b/two.md": "",
        }
    )
    (unit,) = notes.extract().units
    assert [quote.text for quote in unit.quotes] == [
        "A duplicate webhook is recognised by [[digest/wiki/key.md|its key]], as [[resource/guide.md|the guide]] and a lost note say.",
        "Read [the standard](https://example.org/std) on it, or two of them.",
    ]


def test_a_link_whose_note_went_before_the_write_becomes_text() -> None:
    notes = one_note(
        "# Slow providers\n\nA [[digest/wiki/x|slow provider]] is worse than a dead one for all of us.\n"
    )
    notes.texts["digest/wiki/x.md"] = "gone soon"
    (unit,) = notes.extract().units
    assert (
        unit.quotes[0].text == "A [[digest/wiki/x.md|slow provider]] is worse than a dead one for all of us."
    )
    del notes.texts["digest/wiki/x.md"]
    assert said(notes.propose(unit).text) == ["A slow provider is worse than a dead one for all of us."]


def test_the_same_memory_again_adds_its_source_and_what_is_new() -> None:
    notes = one_note(KEYS)
    notes.dream()
    notes.texts["daily/2026-06-21/b.md"] = (
        "# Signing key rotation on staging\n\n"
        "A signing key must be rotated without logging anybody out, so two keys are valid at once.\n"
        "Two services had cached the public keys of the signer and were restarted by hand.\n"
    )
    (proposal,) = Notes(notes.texts).dream("2026-06-21")
    assert (proposal.action, proposal.path) == ("CORROBORATE", "digest/procedure/rotating-the-signing-key.md")
    added = (
        "\nTwo services had cached the public keys of the signer and were restarted by hand.\n",
        "- derived_from:: [[daily/2026-06-21/b.md]]\n",
    )
    rest = proposal.text
    for text in added:
        assert rest.count(text) == 1
        rest = rest.replace(text, "")
    assert (
        said(proposal.text).count(
            "A signing key must be rotated without logging anybody out, so two keys are valid at once."
        )
        == 1
    )


def test_what_is_said_and_cited_already_is_skipped() -> None:
    notes = one_note(KEYS)
    (unit,) = notes.extract().units
    created = notes.propose(unit)
    notes.texts[created.path] = created.text
    again = notes.propose(unit)
    assert (again.action, again.path, again.text) == ("SKIP", created.path, created.text)


def test_an_update_leaves_every_other_byte_alone() -> None:
    notes = one_note(KEYS)
    (unit,) = notes.extract().units
    mine = (
        "\ufeff---\r\nname: Signing key rotation # mine\r\ntags: [x]\r\n---\r\n\r\nRotating the signing key: two keys are valid at once, the"
        " signer is switched, every service fetches the public keys of the gateway.\r\n\r\n## See also\r\n\r\n- [[elsewhere]]\r\n\r\n## Sources\r\n\r\n* [[old]]\r\n\r\n## Mine\r\n\r\nEnd"
    )
    notes.texts["digest/wiki/mine.md"] = mine
    proposal = notes.propose(unit)
    assert (proposal.action, proposal.path) == ("CORROBORATE", "digest/wiki/mine.md")
    before, after = mine.split("\r\n"), proposal.text.split("\r\n")
    assert "\n" not in proposal.text.replace("\r\n", "")
    rest = iter(after)
    assert all(line in rest for line in before)  # in the same order, each line consumed once
    assert f"- derived_from:: [[daily/{DAY}/a.md]]" in after


def test_a_name_that_is_taken_gets_a_number() -> None:
    notes = one_note(KEYS)
    notes.texts["elsewhere/Rotating-the-signing-key.md"] = "other"
    notes.texts["digest/wiki/rotating-the-signing-key-2.md"] = "Nothing in common with it at all."
    (proposal,) = notes.dream()
    assert proposal.path == "digest/procedure/rotating-the-signing-key-3.md"


@pytest.mark.parametrize("name", ["no", "2026-06-20", "a: b", "- x", "'quoted'", "null", "# not a heading"])
def test_titles_that_look_like_yaml_stay_text(name: str) -> None:
    sentence = "The pump loses its pressure when both valves are open at night."
    notes = one_note(f"---\ntitle: {name!r}\n---\n\n## {name} of the pump\n\n{sentence}\n")
    (proposal,) = notes.dream()
    note = Note(proposal.path, proposal.text, stamp_of(proposal.text.encode()))
    assert isinstance(note.frontmatter["name"], str)
    assert isinstance(note.frontmatter["description"], str)
    assert note.description.rstrip(".") == sentence.rstrip(".")


def test_topics_are_phrases_that_recur() -> None:
    notes = Notes(
        {
            "daily/2026-06-18.md": "## Log\n\nThe circuit breaker opened twice in the night, without any reason.\n",
            "daily/2026-06-19.md": "## 记录\n\n对账差异大多数来自时区，每天都要处理。\n",
            f"daily/{DAY}/a.md": "# Circuit breaker\n\nThe circuit breaker now counts the latency of a provider.\n",
            f"daily/{DAY}/b.md": "# 对账差异\n\n财务希望对账差异当天给出原因。\n",
            f"daily/{DAY}/c.md": "# Lunch menu\n\nThere was soup with noodles for everybody today.\n",
        }
    )
    topics = {topic.title: topic for topic in notes.extract().topics}
    assert set(topics) == {"Circuit breaker", "对账差异"}
    assert topics["Circuit breaker"].reason == "The circuit breaker now counts the latency of a provider."
    assert topics["Circuit breaker"].evidence == f"daily/{DAY}/a.md"
    assert topics["对账差异"].paths == (f"daily/{DAY}/b.md",)


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        (
            ("Rotating the signing key", KEYS),
            ("Signing key rotation", "A signing key must be rotated, two keys are valid at once."),
            SAME,
            1.0,
        ),
        (
            ("Embed-norm experiment 3", "The run with embed norm diverged after the warmup."),
            ("Embed-norm experiment 4", "The run with embed norm converged after all."),
            0.0,
            SAME,
        ),
        (
            ("对账差异", "对账差异大多数来自时区和退款，真正的漏单很少。"),
            ("对账差异的处理", "对账差异大多数来自时区，漏单很少。"),
            SAME,
            1.0,
        ),
        (
            ("Environment", "To launch it use the script."),
            ("Environment", "The river is cleaner than it was ten years ago."),
            0.0,
            SAME,
        ),
        (
            ("Jitter", "Retries without jitter arrive together."),
            ("Lunch", "There was soup with noodles."),
            0.0,
            RELATED,
        ),
    ],
)
def test_similarity(one: tuple[str, str], other: tuple[str, str], least: float, most: float) -> None:
    alike = similarity(profile_of(*one), profile_of(*other))
    assert least <= alike <= most
    assert alike == similarity(profile_of(*other), profile_of(*one))


pieces = st.sampled_from(
    [
        "The [[slow|Slow provider]] holds every connection of the pool.",
        "Use `a. b` in the **shell** of the host, as we do.",
        "渠道按 UTC 切日，我们按北京时间切日。",
        "为什么会这样？",
        "A line with [a link](x.md) to nowhere in it.",
        "- an item of the list that goes on",
        "1. Open the console and wait for it.",
        "2. Close the console when it is done.",
        "> a quoted line that goes on",
        "> and on in the next line.",
        "## Heading one",
        "## Notes",
        "# 标题",
        "```",
        "$x$ and $$ y $$ are all of the math",
        "%%",
        "<!-- hidden words of a comment -->",
        "| a | b |",
        "|---|---|",
        "---",
        "related_to:: [[b]]",
        "[^1]: a footnote that is a sentence of its own",
        "    indented words of a block of code",
        "\t- nested item of the list here",
        "",
        "",
        "",
        "[x]: y.md",
        "See [x] and [[a#b|c]] for all of it.",
        "{{template}} of the day that is filled in",
        "![[image.png]]",
        "***",
        "\\[[no link]] here is a text of it",
    ]
)


@settings(max_examples=120)
@given(st.lists(pieces, max_size=24).map("\n".join), st.lists(pieces, max_size=12).map("\r\n".join))
def test_nothing_is_invented(one: str, other: str) -> None:
    notes = Notes({f"daily/{DAY}/a.md": one, f"daily/{DAY}/b.md": other, "daily/2026-06-19.md": other})
    sources = {path: essence(text) for path, text in notes.texts.items()}
    extraction = notes.extract()
    for unit in extraction.units:
        assert all(occurs(quote.text, sources[quote.path]) for quote in unit.quotes)
        assert unit.name
        assert unit.summary
    for topic in extraction.topics:
        assert topic.paths
    for proposal in notes.dream():
        lines = said(proposal.text)
        assert lines
        assert all(any(occurs(line, source) for source in sources.values()) for line in lines)
        links = scan(proposal.text).links
        assert all(Names(notes.texts).resolve(link, proposal.path).path for link in links)
        assert {link.predicate for link in links} - {None} <= {"derived_from", "related_to"}


def dreamed(shared: Path, vault: str, days: int) -> Notes:
    root = shared / "gold" / "dream" / vault
    files = sorted((root / "daily").glob("*.md"))[:days]
    notes = Notes({f"daily/{file.name}": file.read_bytes().decode() for file in files})
    for file in files:
        notes.dream(file.stem)
    return notes


@pytest.mark.parametrize(("vault", "days", "least"), [("bigscience", 30, 60), ("oldwinter-zh", 90, 45)])
def test_real_daily_notes(shared: Path, vault: str, days: int, least: int) -> None:
    notes = dreamed(shared, vault, days)
    sources = {path: essence(text) for path, text in notes.texts.items() if path.startswith("daily/")}
    digest = {path: text for path, text in notes.texts.items() if path.startswith("digest/")}
    assert len(digest) >= least
    for path, text in digest.items():
        note = Note(path, text, stamp_of(text.encode()))
        assert note.frontmatter["name"]
        assert note.frontmatter["description"]
        cited = [link.target for link in scan(text).links if link.predicate == "derived_from"]
        assert cited
        for line in said(text):
            assert any(occurs(line, sources[source]) for source in cited), (path, line)
        shown = essence(note.name)
        plain = [re.sub(r"[`*_#]+", "", source) for source in sources.values()]
        assert any(re.sub(r"[`*_#]+", "", shown) in source for source in plain), note.name


PRINT_HASH = """
import sys; sys.path.insert(0, {tests!r})
from pathlib import Path
from test_engine import digest_hash
print(digest_hash(Path({demo!r})))
"""


def digest_hash(demo: Path) -> str:
    """The hash of all that dreaming the demo vault's days writes."""
    notes = Notes(
        {file.relative_to(demo).as_posix(): file.read_bytes().decode() for file in sorted(demo.rglob("*.md"))}
    )
    days = sorted({path[6:16] for path in notes.texts if path.startswith("daily/")})
    topics = [notes.extract(day).topics for day in days]
    for day in days:
        notes.dream(day)
    return hashlib.sha256(repr((sorted(notes.texts.items()), topics)).encode()).hexdigest()


def test_the_order_of_sets_does_not_show() -> None:
    tests = Path(__file__).parent
    demo = PROJECT / "vault_template" / "demo"
    code = PRINT_HASH.format(tests=os.fspath(tests), demo=os.fspath(demo))
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.fspath(PROJECT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(hashes) == 1


def test_a_description_is_a_sentence_of_the_passage() -> None:
    (passage,) = sections.passages("a.md", KEYS)
    background = background_of([])
    name = name_of(passage, background)
    assert description_of(name, passage.lines, background) in KEYS


def test_the_documented_constants_are_the_ones_in_use() -> None:
    page = PROJECT / "docs" / "extractive-engine.md"
    rows = re.findall(r"^\| `([\w.]+)\.(\w+)` \| ([\d.]+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 10
    for module, constant, value in rows:
        assert getattr(import_module(f"reme_cli.dream.{module}"), constant) == float(value), constant


@pytest.mark.parametrize(
    ("heading", "between"),
    [("", "\n\n"), ("# Gateway retries\n\n", "\n\n"), ("# Gateway retries\n\n", " ")],
    ids=["paragraphs", "one section", "one paragraph"],
)
def test_the_lines_of_a_long_note_are_not_each_compared_with_all_others(heading: str, between: str) -> None:
    def note(sentences: int) -> str:
        said = (
            f"Request {number} to the gateway of shop{number} was retried, e.g. because queue{number} had filled up."
            for number in range(sentences)
        )
        return heading + between.join(said) + "\n"

    def comparisons(sentences: int) -> int:
        seen = 0

        def counted(self: Line, other: object) -> bool:
            nonlocal seen
            seen += 1
            return isinstance(other, Line) and (self.text, self.shape) == (other.text, other.shape)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Line, "__eq__", counted)
            assert one_note(note(sentences)).extract().units
        return seen

    assert comparisons(2_000) <= 3 * max(comparisons(1_000), 1_000)


def test_phrases_are_found_in_the_passages_that_hold_them_as_whole_words() -> None:
    gists = [
        gist_of("2026-06-20", "", ["The payment gateway retries."]),
        gist_of("2026-06-20", "", ["A payment gateways list."]),
        gist_of("2026-06-20", "", ["The new payment gateway, and the payment gateway of old."]),
    ]
    assert _holders({"payment gateway", "gateway"}, gists) == {
        key: [place for place, gist in enumerate(gists) if f" {key} " in gist.tokens]
        for key in ("payment gateway", "gateway")
    }


@pytest.mark.parametrize(
    ("heading", "clean"),
    [
        ("Fix the parser (src/parse.py): ##", "Fix the parser (src/parse.py)"),
        ("Fix the parser  (src/parse.py)", "Fix the parser"),
        ("Fix the parser (parse.py)", "Fix the parser"),
        ("Fix the parser (twice)", "Fix the parser (twice)"),
        # quadratic, each of these would take minutes
        ("a" + "(" * 100_000 + "b", "a" + "(" * 100_000 + "b"),
        ("a(" + "/" * 100_000 + "b", "a(" + "/" * 100_000 + "b"),
        ("a" + "#" * 100_000 + "b", "a" + "#" * 100_000 + "b"),
    ],
)
def test_what_a_heading_says(heading: str, clean: str) -> None:
    assert sections.clean_heading(heading) == clean


@pytest.mark.parametrize(
    ("sentence", "begins"),
    [("What it takes:", True), ("Two：**", True), ("At 10:30.", False), ("a" + ":." * 75_000 + "x", False)],
)
def test_a_sentence_that_begins_something(sentence: str, begins: bool) -> None:
    # quadratic, the last one would take minutes
    assert (substance._COLON.search(sentence) is not None) is begins
