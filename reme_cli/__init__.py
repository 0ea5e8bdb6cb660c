"""reme turns a folder of Markdown into a long-term memory that organises itself."""

__version__ = "0.1.0"

VERSION_LINE = f"reme {__version__}\n"
"""What `reme --version` prints."""
