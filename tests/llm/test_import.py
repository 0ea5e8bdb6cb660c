"""What importing litellm costs whom, and whom it contacts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.conftest import LONG, PROJECT
from tests.scripted_model import KEY, json_text, scripted_model

if TYPE_CHECKING:
    from pathlib import Path


def python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(PROJECT), **env}
    return subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=LONG, check=False
    )


def test_the_modules_themselves_import_nothing_heavy() -> None:
    done = python(
        "import sys, reme_cli.llm.client, reme_cli.llm.embedding, reme_cli.llm.prompts\n"
        "print([name for name in ('litellm', 'pydantic', 'yaml', 'rich', 'openai') if name in sys.modules])"
    )
    assert done.stdout == "[]\n", done.stderr


def test_a_command_that_does_not_call_the_model_after_all_ends_at_once() -> None:
    """However long the import takes that was begun in the background."""
    done = python(
        "import sys, threading\n"
        "from reme_cli.config import LlmConfig\n"
        "from reme_cli.llm.client import Model\n"
        "from reme_cli.llm.ledger import Ledger\n"
        "begun = threading.Event()\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('litellm.'):\n"
        "            begun.set()\n"
        "            threading.Event().wait()\n"
        "sys.meta_path.insert(0, Finder())\n"
        "Model.connect(LlmConfig(model='openai/test'), Ledger(), {})\n"
        "begun.wait()\n"
        "print('bye')"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")


def test_only_the_configured_server_is_contacted_and_nothing_is_printed(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-from-a-dot-env-file\n")
    with scripted_model([json_text({"name": "a"})]) as server:
        done = python(
            "import os, sys\n"
            f"os.chdir({str(tmp_path)!r})\n"
            "contacts = set()\n"
            "def hook(event, args):\n"
            "    if event == 'socket.connect': contacts.add(repr(args[1]))\n"
            "    if event == 'socket.getaddrinfo': contacts.add(repr(args[:2]))\n"
            "sys.addaudithook(hook)\n"
            "from pydantic import BaseModel\n"
            "from reme_cli.config import LlmConfig\n"
            "from reme_cli.llm.client import Model\n"
            "from reme_cli.llm.ledger import Ledger\n"
            "from reme_cli.llm.prompts import Turn\n"
            "class Named(BaseModel):\n"
            "    name: str\n"
            f"config = LlmConfig(model='openai/test', api_base={server.url!r})\n"
            "prompt = (Turn('system', 's'), Turn('user', 'u'))\n"
            "assert Model.connect(config, Ledger()).structured(prompt, Named).name == 'a'\n"
            "import json\n"
            "print(json.dumps([sorted(contacts), os.environ.get('OPENAI_API_KEY')]))",
            OPENAI_API_KEY=KEY,
        )
        request = server.requests[0]
    assert done.stderr == ""
    contacts, key = json.loads(done.stdout)
    assert key == KEY
    assert contacts
    assert all("127.0.0.1" in contact for contact in contacts)
    assert request.headers["authorization"] == f"Bearer {KEY}"
