"""The way in: what the script `reme` calls, and `python -m reme_cli`. It imports nothing before it minds Ctrl-C."""

from __future__ import annotations


def run() -> int:
    """Runs the command line of this process, and returns its exit code."""
    try:
        from reme_cli import interrupt

        interrupt.hold()
    except KeyboardInterrupt:
        return 130
    from reme_cli import cli

    return cli.run()


if __name__ == "__main__":
    raise SystemExit(run())
