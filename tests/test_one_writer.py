"""Nothing but the change sets changes a file in a vault."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import reme_cli

PACKAGE: Final = Path(reme_cli.__file__).parent

WRITER: Final = "changeset/system.py"
"""The only module that may make, change, move or remove files."""

EXEMPT: Final = {
    # Lock files hold no text of anybody's; which process has one is written into it.
    "changeset/lock.py": {"os.open", "os.ftruncate", "os.write"},
    # The history's images and the temporary of a state file, under metadata/.
    "changeset/history.py": {"os.utime", ".unlink"},
    "changeset/state.py": {".unlink"},
    # Derived files under metadata/cache, which may be deleted at any time.
    "derived.py": {".write_bytes", ".replace", ".unlink"},
    # A file that the person names on the command line.
    "lint/baseline.py": {".write_bytes"},
    "index/database.py": {".unlink", ".mkdir", ".write_text", ".touch"},
    # The ends of its pipes.
    "index/look.py": {"open"},
    # The pipe by which a forked process tells what it found.
    "linking/forked.py": {"open"},
}

MODULE_CALLS: Final = {
    "os": {
        *(
            "rename",
            "replace",
            "renames",
            "link",
            "symlink",
            "unlink",
            "remove",
            "removedirs",
            "rmdir",
            "mkdir",
            "makedirs",
        ),
        *("truncate", "ftruncate", "write", "pwrite", "writev", "sendfile", "copy_file_range", "fdopen"),
        *("chmod", "fchmod", "chown", "fchown", "utime", "setxattr", "mkfifo", "mknod"),
    },
    "shutil": {
        "copy",
        "copy2",
        "copyfile",
        "copyfileobj",
        "copytree",
        "move",
        "rmtree",
        "copymode",
        "copystat",
    },
    "tempfile": {"NamedTemporaryFile", "TemporaryFile", "mkstemp", "mkdtemp", "TemporaryDirectory"},
}
PATH_METHODS: Final = {
    *(
        "write_text",
        "write_bytes",
        "unlink",
        "rmdir",
        "mkdir",
        "touch",
        "rename",
        "symlink_to",
        "hardlink_to",
        "chmod",
    ),
}
WRITING_FLAGS: Final = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"}


def writes_of(source: str) -> set[str]:
    """The calls in a module that may change a file, by name; `.x` is a method of a path."""
    tree = ast.parse(source)
    kept_flags = {
        node.attr
        for assignment in ast.walk(tree)
        if isinstance(assignment, ast.Assign) and ast.unparse(assignment.targets[0]) == "flags"
        for node in ast.walk(assignment.value)
        if isinstance(node, ast.Attribute)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {name for call in calls if (name := _writing(call, kept_flags))}


def _writing(call: ast.Call, kept_flags: set[str]) -> str | None:
    """The name of a call that may change a file; `kept_flags` are those that a variable `flags` may hold."""
    match call.func:
        case ast.Attribute(ast.Name("system"), _):
            return None  # the seam itself, for which only change sets and their kin have a use
        case ast.Name("open"):
            return "open" if _mode_writes(call, 1) else None
        case ast.Attribute(ast.Name("os"), "open"):
            if "os.devnull" in ast.unparse(call):
                return None
            flags = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}
            named = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
            return (
                "os.open" if (flags | (kept_flags if "flags" in named else set())) & WRITING_FLAGS else None
            )
        case ast.Attribute(ast.Name(module), name) if module in MODULE_CALLS:
            return f"{module}.{name}" if name in MODULE_CALLS[module] else None
        case ast.Attribute(_, "open"):
            return ".open" if _mode_writes(call, 0) else None
        case ast.Attribute(_, name) if name in PATH_METHODS:
            return f".{name}"
        case ast.Attribute(_, "replace") if len(call.args) == 1 and not call.keywords:
            return ".replace"  # Path.replace; a string's takes two
    return None


def _mode_writes(call: ast.Call, position: int) -> bool:
    modes = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    modes += call.args[position : position + 1]
    return any(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and set(mode.value) & set("wax+")
        for mode in modes
    )


def test_only_the_writer_writes() -> None:
    offenders = {}
    for place in sorted(PACKAGE.rglob("*.py")):
        module = place.relative_to(PACKAGE).as_posix()
        if module == WRITER:
            continue
        writes = writes_of(place.read_text()) - EXEMPT.get(module, set())
        if writes:
            offenders[module] = sorted(writes)
    assert offenders == {}


def test_the_system_calls_are_used_by_change_sets_only() -> None:
    users = [
        place.relative_to(PACKAGE).as_posix()
        for place in sorted(PACKAGE.rglob("*.py"))
        if "changeset import system" in (text := place.read_text())
        or "changeset.system" in text
        or (" import " in text and ", system" in text and "reme_cli.changeset import" in text)
    ]
    assert [user for user in users if not user.startswith("changeset/")] == []


def test_the_writer_itself_would_be_found() -> None:
    assert {"os.open", ".replace", ".unlink", "os.fchmod", "os.write"} <= writes_of(
        (PACKAGE / WRITER).read_text()
    )


def test_what_counts_as_writing() -> None:
    source = """
open(p); open(p, "rb"); p.open(); "a".replace("b", "c"); p.read_text(); os.open(p, os.O_RDONLY)
open(p, "w"); open(p, mode="a"); p.open("a"); p.write_text("x"); os.open(p, os.O_RDWR); shutil.rmtree(p); p.replace(q)
"""
    assert writes_of(source) == {"open", ".open", ".write_text", "os.open", "shutil.rmtree", ".replace"}
    assert writes_of(source.splitlines()[1]) == set()
