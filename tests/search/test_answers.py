"""Questions asked in words, and the queries that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.index.fulltext import Filter
from reme_cli.index.index import Index
from reme_cli.search.answers import Answer, answer_json, answers
from reme_cli.search.question import LONGEST, units_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

VAULT = {
    "companies/acme-1.md": "---\ntitle: Acme\ntype: company\n---\nAcme was founded by [[mia]]. Its investors include [[tom]] and [[zoe]].\n"
    "[[ian]] advises the company. It is based in [[oslo]] and depends on [[redis]].",
    "companies/acme-labs-2.md": "---\ntitle: Acme Labs\n---\nFounded by [[tom]].",
    "companies/anchor-3.md": "---\ntitle: Anchor - Data Infrastructure Startup\n---\nFounded by [[zoe]].",
    "companies/typed.md": "founded_by:: [[ian]]\n\n- advises:: [[redis]]",
    "people/mia.md": "---\naliases: [Mia Brown]\n---\nMia worked at [[typed]] until 2019. She prefers [[tea]].",
    "people/tom.md": "Tom is a senior engineer at [[acme-1|Acme]].",
    "people/zoe.md": "Zoe worked at [[acme-1|Acme]] until 2020.",
    "people/ian.md": "Ian.",
    "meetings/q1.md": "---\ntitle: Acme Board Meeting Q1 2025\n---\nAttendees: [[mia]], [[tom]]",
    "meetings/pair.md": "---\ntitle: 1:1 Ian Ray + Zoe Poe\n---\nOnly [[ian]] dialed in.",
    "companies/orbit-4.md": "---\ntitle: Orbit - EdTech Startup\n---\nFounded by [[zoe]].",
    "wiki/oslo.md": "",
    "wiki/redis.md": "",
    "wiki/tea.md": "",
    "daily/2025-01-02.md": "[[acme-labs-2]] was backed by [[mia]].",
    "公司/星辰.md": "星辰由[[张三]]创立，[[李四]]投资了星辰。",
    "人物/张三.md": "张三负责[[网关]]。",
    "人物/李四.md": "李四参加了[[周会]]。",
    "技术/网关.md": "",
    "会议/周会.md": "",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root: Path = tmp_path_factory.mktemp("answers")
    for path, text in VAULT.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    with Index.open(Vault(root, Config())) as opened:
        yield opened


def asked(index: Index, text: str) -> list[str]:
    """The notes that answer, by file name, sorted."""
    return stems(answers(index, text))


def stems(found: Iterable[Answer]) -> list[str]:
    """The file names of answers, sorted."""
    return sorted(answer.note.rpartition("/")[2].removesuffix(".md") for answer in found)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who founded Acme?", "mia"),
        ("who founded acme", "mia"),
        ("Who was Acme founded by?", "mia"),
        ("By whom was Acme founded?", "mia"),
        ("Who is the founder of Acme?", "mia"),
        ("Acme's founder", "mia"),
        ("founder of acme", "mia"),
        ("Name the person who started Acme.", "mia"),
        ("the people behind Acme", "mia"),
        ("Whose company is Acme?", "mia"),
        ("Who founded Acme Labs?", "tom"),
        ("Who founded acme-labs-2?", "tom"),
        ("Who founded Anchor?", "zoe"),
        ("Who founded Anchor - Data Infrastructure Startup?", "zoe"),
        ("Who founded the Anchor data infrastructure startup?", "zoe"),
        ("Who founded typed?", "ian"),
        ("What did Mia found?", "acme-1"),
        ("What did Mia Brown found?", "acme-1"),
        ("Which company was founded by Mia?", "acme-1"),
        ("companies founded by mia", "acme-1"),
        ("What is Mia the founder of?", "acme-1"),
        ("Who invested in Acme?", "tom zoe"),
        ("Who put money into Acme?", "tom zoe"),
        ("Acme's backers", "tom zoe"),
        ("investors in Acme", "tom zoe"),
        ("List the investors of Acme", "tom zoe"),
        ("anyone who has backed Acme", "tom zoe"),
        ("Who is on Acme's cap table?", "tom zoe"),
        ("Which companies has Mia backed?", "acme-labs-2"),
        ("What is in Tom's portfolio?", "acme-1"),
        ("What is Zoe an investor in?", "acme-1"),
        ("Who works at Acme?", "mia tom"),
        ("Who worked at Acme?", "mia tom zoe"),
        ("Who does Acme employ?", "mia tom"),
        ("Acme employees", "mia tom"),
        ("Where does Tom work?", "acme-1 acme-labs-2"),
        ("Who employs Tom?", "acme-1 acme-labs-2"),
        ("Where did Mia work?", "acme-1 typed"),
        ("Who advises Acme?", "ian"),
        ("Who is Acme advised by?", "ian"),
        ("Who holds an advisory role at Acme?", "ian"),
        ("Which companies does Ian advise?", "acme-1"),
        ("What does typed advise?", "redis"),
        ("Who attended Acme Board Meeting Q1 2025?", "mia tom"),
        ("Who was at Acme's Q1 2025 board meeting?", "mia tom"),
        ("Which meetings did Tom attend?", "q1"),
        ("Which meetings was Tom at?", "q1"),
        ("Where is Acme based?", "oslo"),
        ("What does Acme depend on?", "redis"),
        ("What depends on redis?", "acme-1"),
        ("What does Mia prefer?", "tea"),
        ("Who can be counted among Acme's financial backers?", "tom zoe"),
        ("Who participated in Acme's seed round?", "tom zoe"),
        ("Where does Ian serve as an advisor?", "acme-1"),
        ("Whom does Acme have as an advisor?", "ian"),
        ("Which startups count Zoe as an investor?", "acme-1"),
        ("Who's employed over at Acme?", "mia tom"),
        ("Acme has some advisors. Who?", "ian"),
        ("Acme is advised by somebody we know. Who?", "ian"),
        ("I want to thank the people who bankrolled Acme. Who are they?", "tom zoe"),
        ("I'm writing to Acme's advisors tomorrow. Who would that be?", "ian"),
        ("Acme raised some money. Who invested?", "tom zoe"),
        ("Acme held a board meeting in Q1 2025. Who came?", "mia tom"),
        ("Acme had its board meeting in the first quarter of 2025. Who was present?", "mia tom"),
        ("Who founded Acme? I forgot.", "mia"),
        ("Acme: who founded it?", "mia"),
        ("Acme Board Meeting Q1 2025, who joined?", "mia tom"),
        ("Name everybody holding an investment in Acme", "tom zoe"),
        ("the 1:1 of Ian Ray and Zoe Poe", ""),
        ("Who joined the 1:1 of Ian Ray and Zoe Poe?", "ian"),
        ("Zoe Poe + Ian Ray 1:1, who joined?", "ian"),
        ("Participants in Ian Ray and Zoe Poe's one-on-one?", "ian"),
        ("I am writing up Zoe Poe and Ian Ray's one-on-one. Who was present?", "ian"),
        ("orbit edtech startup team members", "zoe"),
        ("Zoe Poe 和 Ian Ray 的一对一。谁在场？", "ian"),
        ("我想联系星辰的投资人。他们是谁？", "李四"),
        ("有人投资了星辰。是谁？", "李四"),
        ("星辰融资了。谁投的？", "李四"),
        ("星辰是谁创立的？我想认识一下。", "张三"),
        ("谁创立了星辰？", "张三"),
        ("星辰是谁创立的", "张三"),
        ("星辰由谁创立", "张三"),
        ("星辰的创始人是谁？", "张三"),
        ("张三创立了哪家公司", "星辰"),
        ("哪些公司由张三创立", "星辰"),
        ("星辰的投资人有谁", "李四"),
        ("星辰获得了谁的投资？", "李四"),
        ("李四投资了什么公司", "星辰"),
        ("谁负责网关", "张三"),
        ("网关归谁管", "张三"),
        ("张三负责什么", "网关"),
        ("谁参加了周会？", "李四"),
        ("李四参加了哪些会议", "周会"),
    ],
)
def test_a_question_for_a_relation_is_answered(index: Index, question: str, expected: str) -> None:
    assert asked(index, question) == sorted(expected.split())


@pytest.mark.parametrize(
    "query",
    [
        "",
        "acme",
        "founder",
        "Acme robots founded",
        "Acme founder interview notes from last spring",
        "Did Mia found Acme?",
        "Why did Mia found Acme?",
        "When was Acme founded?",
        "How much did Tom invest in Acme?",
        "Where was Acme founded?",
        "Who founded Initech?",
        "Who invested in Acme's biggest rival?",
        "Who invested in the rival of Acme?",
        "Who founded Acme's parent Initech?",
        "Who founded it?",
        "Acme is great. Who are you?",
        "Acme is great. Who are they?",
        "I met Acme's founder. Does he like tea?",
        "I like Acme. What is the weather in the north?",
        "星辰很好。你是谁？",
        "What did Mia say to Tom about the picnic?",
        "Who supports Mia when she is ill?",
        "what is the capital of acme strategy in the north",
        "Acme 哪年成立",
        "为什么张三创立了星辰",
        "星辰的历史",
        "founded " * 200,
        "Who founded Acme?\nAnd who runs it?",
    ],
)
def test_other_queries_get_no_answers(index: Index, query: str) -> None:
    assert asked(index, query) == []


def test_an_answer_shows_the_edge_and_where_it_is_stated(index: Index) -> None:
    (answer,) = answers(index, "Who founded Acme?")
    assert answer_json(answer) == {
        "path": "people/mia.md",
        "name": "mia",
        "edge": {
            "source": "people/mia.md",
            "predicate": "founded",
            "target": "companies/acme-1.md",
            "implied": True,
            "path": "companies/acme-1.md",
            "line": 5,
            "col": 21,
        },
    }
    (typed,) = answers(index, "Who founded typed?")
    assert (typed.implied, typed.source, typed.predicate) == (False, "people/ian.md", "founded")


@pytest.mark.parametrize(
    ("question", "filters", "expected"),
    [
        ("Who invested in Acme? -zoe", (), ["tom"]),
        ("Who invested in Acme? path:people/t*", (), ["tom"]),
        ('Who invested in "Acme"?', (), ["tom", "zoe"]),
        ("Who invested in Acme?", (Filter("path", ("people/z*",)),), ["zoe"]),
        ("Who invested in Acme?", (Filter("path", ("daily/*",)),), []),
    ],
)
def test_conditions_hold_for_answers_too(
    index: Index, question: str, filters: tuple[Filter, ...], expected: list[str]
) -> None:
    assert stems(answers(index, question, filters=filters)) == expected


def test_what_a_third_note_says_counts(index: Index) -> None:
    (answer,) = answers(index, "Who backed Acme Labs?")
    assert (answer.note, answer.path, answer.line) == ("people/mia.md", "daily/2025-01-02.md", 1)


def test_what_cannot_be_a_question_costs_no_lookup() -> None:
    assert units_of("redis latency budget") == ()
    assert units_of("x" * (LONGEST + 1)) == ()
    assert units_of("Why was Acme founded?") == ()


WORDS = st.sampled_from(
    [
        "who",
        "what",
        "which",
        "where",
        "is",
        "was",
        "the",
        "of",
        "in",
        "by",
        "'s",
        "?",
        "founded",
        "invested",
        "investors",
        "works",
        "at",
        "advises",
        "Acme",
        "Mia",
        "Tom",
        "companies",
        "did",
        "does",
        "and",
        "谁",
        "的",
        "投资",
        "星辰",
        "由",
        "创立",
        "哪些",
        "公司",
        "x",
        "-",
    ]
)


@given(st.lists(WORDS, max_size=9).map(" ".join))
def test_no_wording_fails(index: Index, text: str) -> None:
    for answer in answers(index, text):
        assert answer.note in {answer.source, answer.target}
        assert answer.line >= 1


def test_links_changed_elsewhere_change_answers(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"acme.md": "Acme was founded by [[mia]].", "people/mia.md": "Mia."})
    with Index.open(vault) as index:
        assert [answer.note for answer in answers(index, "Who founded Acme?")] == ["people/mia.md"]
        (vault.root / "mia.md").write_text("Another one.")
        index.refresh()
        assert [answer.note for answer in answers(index, "Who founded Acme?")] == ["mia.md"]


@pytest.fixture(scope="module")
def longer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """A vault where one name stands inside another one, about which nothing is said."""
    root: Path = tmp_path_factory.mktemp("longer")
    notes = {"acme.md": "Acme was founded by [[mia]].", "acme-labs.md": "A lab.", "mia.md": "", "tom.md": ""}
    for name, text in notes.items():
        (root / name).write_text(text, encoding="utf-8")
    with Index.open(Vault(root, Config())) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    ["who founded acme labs", "Who founded Acme Labs?", "Acme Labs' founders", "谁创立了 Acme Labs？"],
)
def test_a_longer_name_is_never_shortened(longer: Index, question: str) -> None:
    assert asked(longer, question) == []
    assert asked(longer, question.replace(" Labs", "").replace(" labs", "")) == ["mia"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Acme gets its counsel from whom?", "ian"),
        ("Who does Acme turn to for advice?", "ian"),
        ("Acme relies on whose advice?", "ian"),
        ("Acme has somebody advising it. Who's that?", "ian"),
        ("I'm after all of Acme's advisors.", "ian"),
        ("Looking for the people in Acme's advisory circle - who are they?", "ian"),
        ("I'd like an intro to Acme through one of its advisors. Who would that be?", "ian"),
        ("给 Acme 当参谋的人有哪些", "ian"),
        ("Acme 向谁请教?", "ian"),
        ("Acme has raised money. From whom?", "tom zoe"),
        ("Who holds a small stake in Acme?", "tom zoe"),
        ("谁给 Acme 投了钱?", "tom zoe"),
        ("Acme 的资金来自谁?", "tom zoe"),
        ("Who is on Acme's headcount?", "mia tom"),
        ("Acme 都有谁在上班?", "mia tom"),
        ("Who was present when Acme's board met in Q1 2025?", "mia tom"),
        ("When Acme's board met in Q1 2025, who was there?", "mia tom"),
        ("Acme held its board meeting in Q1 2025. Who came along?", "mia tom"),
        ("When did Acme's board meet in Q1 2025?", ""),
        ("Which two people sat down together in the Ian Ray / Zoe Poe 1:1?", "ian"),
    ],
)
def test_nouns_of_a_relation_and_parts_of_a_meeting(index: Index, question: str, expected: str) -> None:
    assert asked(index, question) == sorted(expected.split())


@pytest.mark.parametrize(
    "query",
    [
        "Who isn't an investor in Acme?",
        "Who is not an investor in Acme?",
        "Who wants to invest in Acme?",
        "Acme 的建议",
    ],
)
def test_what_holds_not_or_is_not_asked_for_has_no_answers(index: Index, query: str) -> None:
    assert asked(index, query) == []


def test_not_being_sure_is_no_negation(index: Index) -> None:
    assert asked(index, "I am not sure who invested in Acme. Who was it?") == ["tom", "zoe"]
    assert asked(index, "Acme has a few people working there. Who?") == ["mia", "tom"]
