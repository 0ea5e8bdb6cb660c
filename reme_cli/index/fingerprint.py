"""One digest of all that a refresh compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import Listing


def configuration_of(vault: Vault) -> str:
    """What of the configuration the rows depend on."""
    config = vault.config
    return repr(
        (
            config.folders,
            sorted(config.digest.buckets),
            config.links.resolution,
            sorted(config.predicates.items()),
        )
    )


def fingerprint_of(vault: Vault, listing: Listing) -> str:
    """A digest of the configuration and of every file's place, size and time: equal ones mean that nothing is to be done."""
    import hashlib  # here, since what looks for a change that is known has no use for it

    notes = listing.notes
    # each column by itself, which takes half the time of a line for each note
    parts = (
        configuration_of(vault),
        "\0".join([note.path for note in notes]),
        repr([note.size for note in notes]),
        repr([note.mtime_ns for note in notes]),
        "\0".join(listing.files),
    )
    return hashlib.sha256("\0\0".join(parts).encode(errors="surrogatepass")).hexdigest()
