"""A vault whose embedding model is played by a server on loopback, and what that server was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reme_cli.config import Config, EmbeddingConfig, LlmConfig
from reme_cli.index.index import Index
from reme_cli.search.coverage import cover
from reme_cli.search.semantic import semantic_candidates
from reme_cli.vault.vault import Vault
from tests.conftest import LONG
from tests.scripted_model import Reply, Request, ScriptedModel, embeddings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

    from reme_cli.search.coverage import Made
    from reme_cli.search.semantic import Similar

MODEL = "openai/test-embedding"


@dataclass(slots=True)
class Embedded:
    """`answer` may be replaced while the server runs; `warnings` are what the index told."""

    root: Path
    config: Config = field(init=False)
    answer: Callable[[Request], Reply] = embeddings
    warnings: list[str] = field(default_factory=list)
    server: ScriptedModel = field(init=False)

    def __post_init__(self) -> None:
        self.server = ScriptedModel(self._answer)
        self.configure()

    def _answer(self, request: Request) -> Reply:
        return self.answer(request)

    def configure(self, **settings: Any) -> None:
        """Other settings of the embedding model."""
        given = {"model": MODEL, "api_base": self.server.url, **settings}
        self.config = Config(
            llm=LlmConfig(timeout=LONG, concurrency=2),
            embedding=EmbeddingConfig(**given),
        )
        self.write(
            {
                "vault.yaml": f"embedding: {{model: {given['model']}, api_base: '{given['api_base']}', batch: 64}}\n"
            }
        )

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode())

    def open(self) -> Index:
        return Index.open(Vault(self.root, self.config), warn=self.warnings.append)

    def cover(self) -> Made:
        with self.open() as index:
            return cover(index)

    def near(self, query: str, limit: int = 10, allowed: Collection[str] | None = None) -> list[Similar]:
        with self.open() as index:
            found = semantic_candidates(index, query, limit, allowed=allowed)
        assert found is not None
        return found

    @property
    def sent(self) -> list[str]:
        """All texts that were sent, in order of their requests."""
        return [text for request in self.server.requests for text in request.inputs]

    def newly_sent(self, before: int) -> list[str]:
        return [text for request in self.server.requests[before:] for text in request.inputs]
