"""`reme lint`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option, declared
from reme_cli.commands.session import Session
from reme_cli.errors import UsageError
from reme_cli.keyvalue import mistyped_key
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.index.index import Index
    from reme_cli.lint.fix import Mended
    from reme_cli.lint.report import Form, Report
    from reme_cli.lint.request import Lint
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

EXAMPLES = (
    "reme lint",
    "reme lint daily/ select=L,missing-source",
    "reme lint --fix --dry-run",
    "reme lint --changed=origin/main format=github",
    "reme lint explain=broken-link",
)

STDIN = "-"


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    MARKDOWN = "markdown"


class FailOn(StrEnum):
    """From which severity on a run fails."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


def lint(
    session: Session,
    paths: Annotated[
        list[str] | None,
        Argument(
            metavar="[PATHS]",
            show_default=False,
            help="Notes, folders or patterns; `-` reads a note from stdin. Default: the whole vault.",
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        Option(metavar="RULES", help="Only these: codes, beginnings of codes or slugs, with commas."),
    ] = None,
    ignore: Annotated[list[str] | None, Option(metavar="RULES", help="All but these.")] = None,
    format: Annotated[Format, Option(help="How to print the findings.")] = Format.TEXT,  # noqa: A002 — the option's name
    fix: Annotated[bool, Option("--fix", help="Mend what can be mended safely.")] = False,
    unsafe_fixes: Annotated[
        bool,
        Option(
            "--unsafe-fixes", help="Let `--fix` also make fixes that drop something, such as a broken link."
        ),
    ] = False,
    diff: Annotated[
        bool,
        Option("--diff", help="Print what `--fix` would change; change nothing. Exit 1 if it would."),
    ] = False,
    dry_run: Annotated[
        bool,
        Option("--dry-run", help="With `--fix`: print what would be changed, as a diff; change nothing."),
    ] = False,
    changed: Annotated[
        str | None,
        Option(
            metavar="[REV]",
            help="Only what git says was changed since REV (HEAD), and the links that this broke.",
        ),
    ] = None,
    baseline: Annotated[
        str | None, Option(metavar="FILE", help="Leave out the findings that this file holds.")
    ] = None,
    write_baseline: Annotated[
        bool, Option("--write-baseline", help="Write the findings to the baseline file.")
    ] = False,
    statistics: Annotated[bool, Option("--statistics", help="Count the findings by rule.")] = False,
    explain: Annotated[
        str | None, Option(metavar="RULE", help="Print the page of a rule, or the list of `all`.")
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        Option(help="Exit 1 from this severity on. Default: warning.", show_default=False),
    ] = None,
    no_ignore: Annotated[
        bool, Option("--no-ignore", help="Look at what `.gitignore` leaves out, too.")
    ] = False,
    stdin_filename: Annotated[
        str | None, Option(metavar="PATH", help="The path of the note that stdin holds.")
    ] = None,
    now: Annotated[
        str | None, Option(metavar="DATE", help="The day, or the time, that counts as now.")
    ] = None,
) -> int:
    """Find what is wrong in the vault, and mend it.

    Broken links, missing sources, damaged frontmatter, open conflicts, and more. Exits 1 when something as grave as `--fail-on` is found. `<!-- reme-lint-disable CODE -->` in a note switches a rule
    off there, `lint:` in vault.yaml for paths. `reme lint explain=all` lists the rules.
    """
    session.json = session.json or format is Format.JSON
    if explain is not None:
        return _explain(explain, session)
    _refuse_mixtures(
        {"--write-baseline": write_baseline, "--baseline FILE": baseline is not None},
        {"--dry-run": dry_run, "--fix": fix},
        {"--statistics": statistics, "--format=text or json": format in {Format.TEXT, Format.JSON}},
    )
    from reme_cli.lint.baseline import read_baseline, unknown_to
    from reme_cli.lint.baseline import write_baseline as save_baseline
    from reme_cli.lint.collector import paused_collector
    from reme_cli.lint.moment import moment_of
    from reme_cli.lint.request import Lint, Request

    vault = session.open_vault()
    given = tuple(paths or ())
    _refuse_mistyped_keys(given, vault)
    with ExitStack() as stack:
        stack.enter_context(paused_collector())
        index = stack.enter_context(session.open_index(vault))
        note = _stdin_note(stdin_filename or "stdin.md") if STDIN in given else None
        if note is not None:
            index = stack.enter_context(index.imagined())
            index.suppose(note)
        request = Request(
            paths=tuple(path for path in given if path != STDIN),
            select=tuple(select or ()),
            ignore=tuple(ignore or ()),
            changed=changed,
            respects_gitignore=not no_ignore,
            texts={} if note is None else {note.path: note.text},
        )
        only_planned = diff or dry_run or note is not None

        def found(index: Index) -> tuple[Mended | None, Report]:
            asked = Lint(index, request, moment_of(vault, now))
            mended = None
            if fix or diff:
                mended, report = _mend(asked, session, unsafe=unsafe_fixes, only_planned=only_planned)
            else:
                form = None if baseline is not None or statistics else _form(session, format)
                report = asked.report(form, with_fixes=format is Format.SARIF)
            if format is Format.MARKDOWN:
                report = report._replace(freshness=asked.freshness())
            return mended, report

        mended, report = index.answer(found)
        if baseline is not None and write_baseline:
            save_baseline(Path(baseline), report.findings, report.text)
            session.terminal.remark(f"{counted(len(report.findings), 'finding')} written to {baseline}")
            return 0
        if baseline is not None:
            from reme_cli.changeset.moves import former_paths  # only where a baseline is read

            known = read_baseline(Path(baseline))
            new = unknown_to(known, report.findings, report.text, former_paths(vault))
            report = report._replace(findings=new, known=None)
        is_diff = diff or dry_run
        if note is not None and mended is not None and not (is_diff or session.json):
            session.terminal.text(mended.texts.get(note.path, note.text))
        else:
            _print(report, mended, session, format, statistics=statistics, is_diff=is_diff)
        _tell(report, mended, session, only_planned=only_planned)
    if diff:
        return int(bool(mended and mended.texts))
    return int(report.fails(fail_on.value if fail_on else vault.config.lint.fail_on))


def _refuse_mixtures(*needs: dict[str, bool]) -> None:
    """Raises `UsageError` for the first option that is given without the one it needs."""
    for need in needs:
        (option, is_given), (other, is_there) = need.items()
        if is_given and not is_there:
            raise UsageError(f"`{option}` goes with `{other}`")


def _refuse_mistyped_keys(given: tuple[str, ...], vault: Vault) -> None:
    """Raises `UsageError` for a text such as `selct=L` that is no file and nearly a key."""
    from reme_cli.lint.places import is_there

    for text in given:
        mistake = mistyped_key(text, [one.parameter for one in declared(lint)]) if "=" in text else None
        if mistake is not None and not is_there(vault.root, text, Path.cwd()):
            raise mistake


def _explain(word: str, session: Session) -> int:
    from reme_cli.lint.explanation import page_of, rules_json
    from reme_cli.lint.rules import RULES
    from reme_cli.lint.selection import rules_of

    rules = rules_of(word)
    if session.json:
        session.terminal.json(rules_json(rules))
    elif len(rules) == 1:
        session.terminal.text(page_of(rules[0]))
    else:
        rows = [(rule.code, rule.slug, rule.severity, rule.summary) for rule in RULES if rule in rules]
        session.terminal.table(rows, ("code", "rule", "severity", "what is wrong"))
    return 0


def _stdin_note(path: str) -> Note:
    """The note on stdin, byte for byte. Raises `PathRefused` and `UnreadableNote`."""
    from reme_cli.errors import UnreadableNote
    from reme_cli.vault.note import Note
    from reme_cli.vault.paths import check_note_path
    from reme_cli.vault.stamp import stamp_of

    normal = check_note_path(path)
    stream = getattr(sys.stdin, "buffer", None)
    data: bytes = sys.stdin.read().encode() if stream is None else stream.read()
    try:
        return Note(normal, data.decode(), stamp_of(data))
    except UnicodeDecodeError as error:
        raise UnreadableNote(
            f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}", where=normal
        ) from error


def _mend(asked: Lint, session: Session, *, unsafe: bool, only_planned: bool) -> tuple[Mended, Report]:
    if only_planned:
        return asked.plan(unsafe=unsafe)
    from reme_cli.changeset.run import start_run

    with start_run(asked.vault, "lint --fix") as run:
        done = asked.fix(run, unsafe=unsafe)
    session.tell_rescues(run.rescued)
    return done


def _form(session: Session, format: Format) -> Form | None:  # noqa: A002 — the option's name
    """The form of the findings that is made note by note, where it is asked for and the stream takes it."""
    if session.json:
        return "json" if session.terminal.takes_unicode else None
    return "text" if format is Format.TEXT and not session.terminal.draws else None


def _print(
    report: Report,
    mended: Mended | None,
    session: Session,
    form: Format,
    *,
    statistics: bool,
    is_diff: bool,
) -> None:
    terminal = session.terminal
    diff = mended.diff() if mended is not None and is_diff else None
    if session.json:
        from reme_cli.lint.formats.json import lint_json

        found = lint_json(report, statistics=statistics, mended=mended, diff=diff)
        written = {"findings": report.written["json"]} if "json" in report.written else None
        terminal.json(found, by_line=True, written=written)
    elif diff is not None:
        terminal.diff(diff)
    elif statistics:
        rows = [
            (str(row.count), row.code, row.rule, row.severity, str(row.fixable))
            for row in report.statistics()
        ]
        if rows:
            terminal.table(rows, ("count", "code", "rule", "severity", "fixable"), right=frozenset({0, 4}))
    elif form is Format.GITHUB:
        from reme_cli.lint.formats.github import workflow_commands

        terminal.text(workflow_commands(report))
    elif form is Format.SARIF:
        from reme_cli.lint.formats.sarif import sarif

        terminal.json(sarif(report))
    elif form is Format.MARKDOWN:
        from reme_cli.lint.formats.markdown import markdown

        terminal.text(markdown(report))
    elif "text" in report.written:
        terminal.text(report.written["text"].removesuffix("\n"))
    else:
        from reme_cli.lint.formats.text import text_blocks

        terminal.styled(text_blocks(report))


def _tell(report: Report, mended: Mended | None, session: Session, *, only_planned: bool) -> None:
    """A summary on stderr."""
    terminal = session.terminal
    if mended is not None:
        for left in mended.left:
            finding = left.finding
            terminal.warn(f"{finding.path}:{finding.line}: {finding.code} is not mended: {left.reason}")
        verb = "can be mended" if only_planned else "mended"
        terminal.remark(
            f"{counted(len(mended.made), 'finding')} {verb} in {counted(len(mended.texts), 'note')}"
        )
    by_severity, fixable = report.summary
    counts = ", ".join(f"{number} {severity}" for severity, number in by_severity.items() if number)
    hint = f"; `--fix` mends {fixable}" if fixable and mended is None else ""
    found = f"{counted(sum(by_severity.values()), 'finding')} ({counts}){hint}" if counts else "no findings"
    terminal.remark(f"{found} in {counted(report.notes, 'note')}")
