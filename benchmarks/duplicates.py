"""Recall and precision of `reme auto_link level=l4` on planted near-duplicates among real notes.

python benchmarks/duplicates.py VAULT… [--notes 1000] [--planted 60] [--seed 1]

Takes notes of the vaults at random, and writes some of them anew: words by a table of synonyms, sentences and paragraphs in another
order, headings in the other language or in other words, some sentences left out, another file name. What the run lists besides the
planted pairs counts as wrong, although people's notes may well hold duplicates of their own; those are printed, to be read.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.linking.l4_duplicates import duplicates_among
from reme_cli.linking.scope import concepts_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORTEST: Final = 300
"""Characters of the body of a note that is worth a near-duplicate."""

_SYNONYMS: Final = dict(
    pair.split("=")
    for pair in [
        "company=firm",
        "startup=venture",
        "founded=started",
        "founder=creator",
        "investor=backer",
        "investors=backers",
        "team=group",
        "use=employ",
        "using=employing",
        "used=employed",
        "make=create",
        "makes=creates",
        "making=creating",
        "help=assist",
        "helps=assists",
        "help=assist",
        "show=display",
        "shows=displays",
        "need=require",
        "needs=requires",
        "big=large",
        "large=sizeable",
        "small=little",
        "start=begin",
        "started=began",
        "build=construct",
        "built=constructed",
        "building=constructing",
        "important=crucial",
        "many=numerous",
        "several=various",
        "often=frequently",
        "also=additionally",
        "however=yet",
        "because=since",
        "like=such",
        "work=labour",
        "works=functions",
        "working=operating",
        "change=alter",
        "changes=alterations",
        "new=fresh",
        "good=fine",
        "great=superb",
        "best=finest",
        "way=manner",
        "ways=manners",
        "people=persons",
        "problem=issue",
        "problems=issues",
        "issue=problem",
        "issues=problems",
        "idea=notion",
        "ideas=notions",
        "feature=capability",
        "features=capabilities",
        "note=memo",
        "notes=memos",
        "page=sheet",
        "pages=sheets",
        "early=initial",
        "recent=latest",
        "current=present",
        "including=among",
        "particularly=especially",
        "deep=profound",
        "strong=solid",
        "experience=background",
        "focus=concentrate",
        "focuses=concentrates",
        "product=offering",
        "products=offerings",
        "market=field",
        "technical=engineering",
        "growth=expansion",
        "raise=collect",
        "raised=collected",
        "lead=head",
        "led=headed",
        "joined=entered",
        "join=enter",
        "customers=clients",
        "customer=client",
        "quickly=rapidly",
        "fast=quick",
        "simple=plain",
        "easy=effortless",
        "write=compose",
        "writing=composing",
        "get=obtain",
        "gets=obtains",
        "give=provide",
        "gives=provides",
        "keep=retain",
        "keeps=retains",
        "find=discover",
        "finds=discovers",
        "see=notice",
    ]
)
_CHINESE: Final = dict(
    pair.split("=")
    for pair in [
        "因为=由于",
        "所以=因此",
        "但是=然而",
        "可以=能够",
        "需要=必须",
        "问题=难题",
        "方法=办法",
        "重要=关键",
        "使用=采用",
        "开始=着手",
        "发现=察觉",
        "认为=觉得",
        "知道=了解",
        "非常=十分",
        "如果=假如",
        "我们=大家",
        "很多=许多",
        "帮助=协助",
        "提高=提升",
        "学习=研习",
        "思考=思索",
        "时间=时光",
        "简单=简易",
        "容易=轻易",
        "困难=艰难",
        "喜欢=喜爱",
        "告诉=告知",
        "改变=改动",
        "希望=期望",
        "选择=挑选",
        "结果=成果",
        "影响=作用",
        "情况=状况",
        "目标=目的",
        "工作=事务",
        "能力=本领",
        "建议=提议",
    ]
)
_HEADINGS: Final = {
    "introduction": "概述", "overview": "概览", "timeline": "时间线", "notes": "笔记", "summary": "总结", "usage": "用法",
    "概述": "Overview", "总结": "Summary", "笔记": "Notes", "参考": "References", "定义": "Definition", "来源": "Source",
}  # fmt: skip
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\[])|(?<=[。！？])")
_HEADING: Final = re.compile(r"(#{1,6}) +(.*)")


def paraphrased(text: str, chance: random.Random) -> str:
    """The text of a note, told otherwise."""
    blocks = [block for block in re.split(r"\n[ \t]*\n", body_of(text).strip()) if block.strip()]
    told = [_block(block, chance) for block in blocks]
    for _ in range(max(1, len(told) // 2)):
        first, second = chance.randrange(len(told)), chance.randrange(len(told))
        told[first], told[second] = told[second], told[first]
    return "\n\n".join(filter(None, told)) + "\n"


def body_of(text: str) -> str:
    """The text without frontmatter."""
    head = re.match(r"---\n.*?\n---\n", text, re.DOTALL)
    return text[head.end() :] if head else text


def _block(block: str, chance: random.Random) -> str:
    lines = block.split("\n")
    if found := _HEADING.fullmatch(lines[0]):
        lines[0] = f"{found[1]} {_HEADINGS.get(found[2].strip().lower(), f'On {found[2]}')}"
        return "\n".join(
            [lines[0], *filter(None, [_block("\n".join(lines[1:]), chance)] if lines[1:] else [])]
        )
    if re.match(r"\s*(?:[-*+]|\d+\.) ", lines[0]):
        chance.shuffle(lines)
        return "\n".join(_reworded(line) for line in lines if chance.random() > 0.1)
    sentences = [sentence for sentence in _SENTENCE.split(block) if sentence.strip()]
    chance.shuffle(sentences)
    kept = [sentence for sentence in sentences if chance.random() > 0.1] or sentences
    return _reworded(" ".join(kept))


def _reworded(text: str) -> str:
    text = re.sub(r"[A-Za-z]+", lambda found: _SYNONYMS.get(found[0].lower(), found[0]), text)
    for word, other in _CHINESE.items():
        text = text.replace(word, other)
    return text


def _renamed(stem: str, number: int) -> str:
    words = re.split(r"[-_ ]+", stem)
    return (f"About {stem}", f"{stem} overview", " ".join(reversed(words)), f"Memo {number * 7919 % 1000}")[
        number % 4
    ]


def make_vault(
    root: Path, sources: Sequence[Path], notes: int, planted: int, seed: int
) -> set[frozenset[str]]:
    """Makes the vault; gives the pairs that are near-duplicates of each other."""
    chance = random.Random(seed)
    found = [(source, place) for source in sources for place in sorted(source.rglob("*.md"))]
    found = [
        each for each in found if not any(part.startswith(".") for part in each[1].relative_to(each[0]).parts)
    ]
    chance.shuffle(found)
    pairs: set[frozenset[str]] = set()
    for source, place in found[: notes - planted]:
        text = place.read_text(encoding="utf-8", errors="replace")
        path = f"{source.name}/{place.relative_to(source).as_posix()}"
        _write(root, path, text)
        if len(pairs) < planted and len(body_of(text)) >= SHORTEST and "-plugin:" not in text:
            copy = f"more/{_renamed(place.stem, len(pairs))}.md"
            if not (root / copy).exists():
                _write(root, copy, paraphrased(text, chance))
                pairs.add(frozenset((path, copy)))
    return pairs


def _write(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def measure(root: Path, pairs: set[frozenset[str]]) -> tuple[float, float]:
    """Recall and precision of what is listed."""
    vault = Vault(root, Config())
    with Index.open(vault) as index:
        listed = duplicates_among(index, concepts_of(vault, index.stamps()))
    hits = [each for each in listed if frozenset((each.first, each.second)) in pairs]
    for each in listed:
        if each not in hits:
            print(f"  not planted: {each.score:.2f} {each.first} = {each.second}")
    for pair in sorted(map(sorted, pairs - {frozenset((each.first, each.second)) for each in listed})):
        print(f"  missed: {pair[0]} = {pair[1]}")
    return len(hits) / len(pairs), len(hits) / max(1, len(listed))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vaults", nargs="+", type=Path)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--planted", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "vault")
        pairs = make_vault(root, given.vaults, given.notes, given.planted, given.seed)
        recall, precision = measure(root, pairs)
    print(
        f"{len(pairs)} pairs planted among {given.notes} notes: recall {recall:.3f}, precision {precision:.3f}"
    )


if __name__ == "__main__":
    main()
