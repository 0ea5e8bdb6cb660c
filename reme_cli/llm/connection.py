"""A model as litellm reaches it: imported, its provider known, its key found, and nobody asked who was not meant.

Nothing but this module and what it gives to `provider` and `embedding` knows litellm.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import threading
import warnings
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from reme_cli.errors import ModelNotConfigured, ModelRejected

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.llm.failure import Failure

# Where litellm looks for a provider's key; the others are called PROVIDER_API_KEY.
_KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY",),
    "perplexity": ("PERPLEXITYAI_API_KEY",),
    "ai21_chat": ("AI21_API_KEY",),
}
# No key at all, or credentials of another kind.
_KEYLESS = frozenset({"", "ollama", "ollama_chat", "bedrock", "sagemaker", "vertex_ai"})
# A server of one's own often wants no key, but the client library insists on one.
_NO_KEY = "no-key-needed"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the configuration that names a model, as messages speak of it."""

    name: str
    examples: str
    """Names of models, for one who wrote none."""
    tuning: str
    """The setting that a provider may refuse."""
    instead: str
    """How to do without such a model."""
    trusted_by: tuple[str, ...]
    """The variables that may say that a server elsewhere is meant."""


CHAT: Final = Section(
    name="llm",
    examples="openai/gpt-5-mini, anthropic/claude-sonnet-4-5, ollama_chat/qwen3",
    tuning="llm.temperature",
    instead="use engine=extractive",
    trusted_by=("REME_LLM__API_BASE",),
)
JUDGE: Final = replace(CHAT, instead="use --no-llm")
"""The same model, asked about what is found without one, too."""
EMBEDDING: Final = Section(
    name="embedding",
    examples="openai/text-embedding-3-small, ollama/nomic-embed-text",
    tuning="embedding.dimensions",
    instead="leave embedding.model empty: search then works by words and links",
    trusted_by=("REME_EMBEDDING__API_BASE", "REME_LLM__API_BASE"),
)


class CallFailed(Exception):
    """A request that came to nothing; `failure` says what that means."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def check_trusted(section: Section, model: str, api_base: str | None, env: Mapping[str, str]) -> None:
    """Raise `ModelNotConfigured` if nobody but the vault's own file says that notes and a key go to another machine.

    A vault may have been made by somebody else. That a server outside this machine is meant, the environment must say.
    """
    if "://" in model:
        # litellm takes an address in the name of a model for the server to call
        raise ModelNotConfigured(
            f"the model {model!r} holds an address",
            where=f"{section.name}.model",
            hint=f"Write provider/model, and the address of a server into {section.name}.api_base.",
        )
    if api_base is None or _is_here(api_base):
        return
    if any(env.get(variable, "").strip() == api_base.strip() for variable in section.trusted_by):
        return
    raise ModelNotConfigured(
        f"vault.yaml would send your notes and your key to {api_base},"
        " and nothing outside the vault says that you want it",
        where=f"{section.name}.api_base",
        hint=f"If you trust that server, set {section.trusted_by[0]}={api_base} in your environment.",
    )


def _is_here(address: str) -> bool:
    """Whether the server at this address is on this machine."""
    host = urlsplit(address.strip()).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Connection:
    """A model of one section, called with keys from `env`. Importing litellm starts at once, in the background."""

    def __init__(self, section: Section, model: str, api_base: str | None, env: Mapping[str, str]) -> None:
        self.section = section
        self.model = model
        self.api_base = api_base
        self.provider = ""
        """litellm's name for the provider; empty before `connected`."""
        self.options: Mapping[str, Any] = {}
        """The arguments that all requests have in common, the key among them; empty before `connected`."""
        self._env = env
        self._litellm: Any = None
        self._ready = threading.Lock()
        # A daemon: a command that ends without having called the model does not wait for the import.
        self._import = threading.Thread(target=_import_early, name="litellm-import", daemon=True)
        self._import.start()

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The environment variables that this provider's key may be in; none for one that has no keys."""
        if self.provider in _KEYLESS:
            return ()
        return _KEY_VARIABLES.get(self.provider, (f"{self.provider.upper()}_API_KEY",))

    def connected(self) -> Any:
        """litellm, imported and set up for this model. Raises `ModelRejected` for an unknown provider or a missing key."""
        with self._ready:
            if self._litellm is None:
                self._import.join()
                try:
                    litellm = _import_litellm()
                except ImportError as error:
                    raise ModelRejected(
                        f"litellm cannot be imported: {error}",
                        hint="Install reme again, with its dependencies.",
                    ) from error
                self.provider = self._provider_name(litellm)
                self.options = self._fixed_options(litellm)
                self._litellm = litellm
            return self._litellm

    def price_of(self, tokens: int) -> float | None:
        """What a prompt of this length costs at least, in US dollars."""
        litellm = self.connected()
        try:
            prompt, _ = litellm.cost_per_token(model=self.model, prompt_tokens=tokens, completion_tokens=0)
        except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model that is not on its price list
            return None
        return float(prompt)

    def _provider_name(self, litellm: Any) -> str:
        try:
            _, name, _, _ = litellm.get_llm_provider(self.model, api_base=self.api_base)
        except litellm.exceptions.BadRequestError:
            raise ModelRejected(
                f"no provider is known for the model {self.model!r}",
                where=f"{self.section.name}.model",
                hint=f"Write provider/model, e.g. {self.section.examples}.",
            ) from None
        return str(name)

    def _fixed_options(self, litellm: Any) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if self.api_base is not None:
            options["api_base"] = self.api_base
        key = next((self._env[name].strip() for name in self.key_variables if self._env.get(name)), None)
        if key is not None:
            options["api_key"] = key
        elif self._has_own_server():
            options["api_key"] = _NO_KEY
        else:
            self._check_key_found(litellm)
        return options

    def _has_own_server(self) -> bool:
        """Whether a server is named, in the configuration or the way the providers' own libraries read it."""
        variables = (f"{self.provider.upper()}_API_BASE", f"{self.provider.upper()}_BASE_URL")
        return self.api_base is not None or any(self._env.get(name) for name in variables)

    def _check_key_found(self, litellm: Any) -> None:
        """Raise `ModelRejected` if the provider needs a key: some client libraries report a missing one as a server error."""
        missing: Sequence[str] = litellm.validate_environment(self.model)["missing_keys"]
        for variable in self.key_variables:
            if variable in missing:
                raise ModelRejected(
                    f"{self.model} needs a key and {variable} is not set",
                    where=f"{self.section.name}.model",
                    hint=f"Set {variable} in the environment, set {self.section.name}.api_base to a server without keys, "
                    f"or {self.section.instead}.",
                )


def _import_early() -> None:
    """Import litellm while others work. Where it cannot be imported, the first call finds out again and says so."""
    with contextlib.suppress(ImportError):
        _import_litellm()


def _import_litellm() -> Any:
    """litellm, set up to contact the configured model and nothing else, and to print nothing."""
    # Read while litellm is imported: no price list from the network, no `.env` file searched for keys.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    # By name, because its annotations take mypy minutes; litellm takes seconds to import
    litellm: Any = importlib.import_module("litellm")
    # its own types, when pydantic reads them for a provider's first call, are nothing a user could mend
    warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic\.")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # what it takes for the retries of an embedding where none are asked for; retrying is the business of `calls`
    litellm.DEFAULT_MAX_RETRIES = 0
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpx2", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
