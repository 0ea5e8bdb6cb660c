"""`vault.yaml`, `REME_*` and options become one configuration, or one clear error."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.config import CATCH_ALL_BUCKET, Config
from reme_cli.config import cache as config_cache
from reme_cli.config.effective import config_from, flatten
from reme_cli.config.load import load_config, validate
from reme_cli.config.schema import VaultYaml
from reme_cli.errors import ConfigError
from reme_cli.resources import resource

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def write(root: Path, text: str) -> None:
    (root / "vault.yaml").write_text(text, encoding="utf-8")


def test_no_file_means_the_defaults(root: Path) -> None:
    loaded = load_config(root, {})
    assert loaded.config == Config()
    assert set(loaded.origins.values()) == {"default"}


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "---\n", "llm:\n", "\ufeff", "timezone:\nllm:\n  budget:\n"]
)
def test_empty_files_and_sections_mean_the_defaults(root: Path, text: str) -> None:
    write(root, text)
    assert load_config(root, {}).config == Config()


def test_the_schema_and_the_values_agree() -> None:
    assert config_from(VaultYaml().model_dump()) == Config()
    assert [key for key, _ in flatten(config_from(VaultYaml().model_dump()))] == [
        key for key, _ in flatten(Config())
    ]


def test_the_example_of_the_template_says_the_defaults(root: Path) -> None:
    """With its comment marks removed, the shipped vault.yaml is valid and changes nothing but the time zone."""
    template = resource("vault_template", "vault.yaml").read_text(encoding="utf-8")
    lines = [line[2:] for line in template.split("\n\n", 1)[1].splitlines() if line.startswith("# ")]
    write(root, "\n".join(lines))
    loaded = load_config(root, {})
    assert loaded.config == Config(timezone="Europe/Berlin")
    assert {key for key, origin in loaded.origins.items() if origin == "default"} == set()


def test_options_override_variables_override_the_file(root: Path) -> None:
    write(root, "language: zh\nllm:\n  model: file/model\ndream: {max_units: 2}\n")
    env = {"REME_LLM__MODEL": "env/model", "REME_DREAM__MAX_UNITS": "3", "REME_VAULT": "/elsewhere"}
    loaded = load_config(root, env, {"dream.max_units": "4", "dream.scan_days": None})
    assert (loaded.config.language, loaded.config.llm.model, loaded.config.dream.max_units) == (
        "zh",
        "env/model",
        4,
    )
    assert loaded.origins["language"] == "vault.yaml:1"
    assert loaded.origins["llm.model"] == "REME_LLM__MODEL"
    assert loaded.origins["dream.max_units"] == "--max-units"
    assert loaded.origins["dream.scan_days"] == "default"


def test_text_stays_text(root: Path) -> None:
    write(root, "llm: {model: no}\nignore: [2026-06-20, yes, 1.0]\ndigest: {buckets: {people: 2026-06-20}}\n")
    config = load_config(root, {}).config
    assert config.llm.model == "no"
    assert config.ignore == ("2026-06-20", "yes", "1.0")
    assert config.digest.buckets["people"] == "2026-06-20"


@pytest.mark.parametrize("buckets", ["{people: People}", "{people: }", "{}", "{人物: 谁}"])
def test_the_catch_all_bucket_always_exists(root: Path, buckets: str) -> None:
    write(root, f"digest: {{buckets: {buckets}}}")
    assert CATCH_ALL_BUCKET in load_config(root, {}).config.digest.buckets


def test_null_is_no_limit(root: Path) -> None:
    write(root, "llm: {budget: {usd: null, tokens: ~}}")
    budget = load_config(root, {}).config.llm.budget
    assert (budget.usd, budget.tokens) == (None, None)


def test_lists_in_variables(root: Path) -> None:
    env = {"REME_IGNORE": "templates/, *.excalidraw.md", "REME_DREAM__INPUTS": "[daily, resource]"}
    config = load_config(root, env).config
    assert config.ignore == ("templates/", "*.excalidraw.md")
    assert config.dream.inputs == ("daily", "resource")


def test_a_bucket_in_a_variable(root: Path) -> None:
    config = load_config(root, {"REME_DIGEST__BUCKETS__PEOPLE": "Who"}).config
    assert config.digest.buckets == {"people": "Who", "wiki": Config().digest.buckets["wiki"]}


MISTAKES = Path(__file__).with_name("config_mistakes.md")


def mistakes() -> list[tuple[str, str, str]]:
    """Title, file and expected message of each case in `config_mistakes.md`."""
    cases = []
    for case in MISTAKES.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, rest = case.partition("\n")
        text, message = (block.split("```")[0] for block in rest.split("```text\n", 2)[1:])
        cases.append((title, text.replace("→", "\t"), message))
    return cases


@pytest.mark.parametrize(("text", "message"), [pytest.param(*case[1:], id=case[0]) for case in mistakes()])
def test_mistakes(root: Path, text: str, message: str) -> None:
    write(root, text)
    with pytest.raises(ConfigError) as wrong:
        load_config(root, {})
    assert str(wrong.value).replace(f"{root}{os.sep}", "") + "\n" == message


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"timezone: \xff\n", "not valid UTF-8"),
        (b"a: \x00\n", "control character"),
        (b"[" * 5000, "nested too deeply"),
    ],
)
def test_files_that_are_no_yaml(root: Path, data: bytes, what: str) -> None:
    (root / "vault.yaml").write_bytes(data)
    with pytest.raises(ConfigError, match=what):
        load_config(root, {})


def test_characters_in_two_halves(root: Path) -> None:
    write(root, '{"digest": {"buckets": {"people": "\\ud83d\\ude00"}}}')
    assert load_config(root, {}).config.digest.buckets["people"] == "😀"
    write(root, '{"timezone": "\\ud83d"}')
    with pytest.raises(ConfigError, match="half a character"):
        load_config(root, {})


def test_aliases_that_multiply_are_refused(root: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    write(root, "\n".join(lines))
    with pytest.raises(ConfigError, match="expand without end"):
        load_config(root, {})


def test_a_folder_named_vault_yaml(root: Path) -> None:
    (root / "vault.yaml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(root, {})


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ({"REME_LLM_MODEL": "x"}, "REME_LLM_MODEL: unknown key `llm_model`\nDid you mean REME_LLM__MODEL?"),
        (
            {"REME_DREAM__SCAN_DAYS": "two"},
            "REME_DREAM__SCAN_DAYS: `dream.scan_days`: expected a whole number, found `two`",
        ),
        (
            {"REME_SEARCH__DAMPING": "1"},
            "REME_SEARCH__DAMPING: `search.damping`: must be less than 1, found `1`",
        ),
        (
            {"REME_PREDICATES": "x"},
            "REME_PREDICATES: `predicates`: expected a mapping (`name: value`), found `x`",
        ),
        (
            {"REME_IGNORE": "[a"},
            (
                "REME_IGNORE: not valid YAML: expected ',' or ']', but got '<stream end>'\n"
                'A value with `: `, `#`, or a leading `*`, `&`, `@`, `%` needs "quotes".'
            ),
        ),
        ({"REME_DIGEST": "{a: b}"}, "REME_DIGEST: unknown key `digest.a`\nKnown here: `buckets`."),
        (
            {"REME_LANGUAGE__X": "1"},
            "REME_LANGUAGE__X: sets a key below `language`, which is no mapping",
        ),
    ],
)
def test_mistakes_in_variables(root: Path, env: dict[str, str], message: str) -> None:
    write(root, "language: en")
    with pytest.raises(ConfigError) as wrong:
        load_config(root, env)
    assert str(wrong.value) == message


SECTIONS = (
    "digest",
    "digest.buckets",
    "folders",
    "lint.per_path",
    "llm.budget",
    "predicates",
    "search.layers",
)


@pytest.mark.parametrize("key", sorted({*dict(flatten(Config())), *SECTIONS}))
def test_every_mistake_is_told_in_our_words(root: Path, key: str) -> None:
    """Each key, with values of every kind, in a variable and in the file."""
    path = key.split(".")
    variable = "REME_" + "__".join(path).upper()
    lines = "".join(f"{'  ' * depth}{part}:\n" for depth, part in enumerate(path)).rstrip("\n")
    told: list[tuple[str, ConfigError]] = []
    for value in ("x", "-1", "1", "1e9", "nan", "[a, [b]]", "{a: b}", "{a: {b: c}}", "[]", "[~]", "{a: ~}"):
        text = f"{lines} {value}\n"
        for env, file, where in (
            ({variable: value}, "", variable),
            ({}, text, f"{root / 'vault.yaml'}:{len(path)}"),
        ):
            write(root, file)
            try:
                load_config(root, env)
            except ConfigError as wrong:
                told.append((where, wrong))
    assert told
    for where, mistake in told:
        assert mistake.where == where
        assert not re.search(r"Input should|valid dictionary|None|[\[{]'", mistake.what), mistake.what


def test_a_mistake_in_an_option_names_the_option(root: Path) -> None:
    with pytest.raises(ConfigError, match=r"^--max-units: `dream.max_units`: must be at least 1, found `0`"):
        load_config(root, {}, {"dream.max_units": "0"})


def test_a_secret_in_the_file_is_not_repeated(root: Path) -> None:
    write(root, "llm: {api_key: sk-very-secret}")
    with pytest.raises(ConfigError, match="environment only") as wrong:
        load_config(root, {})
    assert "sk-very-secret" not in str(wrong.value)


leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6), st.floats(allow_nan=False))
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "llm",
                    "model",
                    "budget",
                    "usd",
                    "folders",
                    "daily",
                    "digest",
                    "buckets",
                    "wiki",
                    "dream",
                    "x",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(trees)
def test_any_file_gives_a_configuration_or_a_config_error(tree: object) -> None:
    # JSON is YAML, and says everything that a mapping can
    data = json.dumps(tree).encode()
    refusal: str | None = None
    try:
        loaded = validate(Path("vault"), data, {}, {})
    except ConfigError as error:
        refusal = str(error)
    else:
        assert set(loaded.origins) == {key for key, _ in flatten(loaded.config)}
    assert refusal is None or refusal.startswith(str(Path("vault") / "vault.yaml"))


class TestCache:
    """The validated configuration is cached by the file's stamp."""

    TEXT = "timezone: Asia/Shanghai\ndream: {inputs: [daily, resource]}\ndigest: {buckets: {人: 谁}}\n"

    @pytest.fixture
    def cached(self, root: Path) -> Path:
        (root / "metadata/cache").mkdir(parents=True)
        write(root, self.TEXT)
        load_config(root, {})
        return root / "metadata/cache/config.json"

    @pytest.fixture
    def validations(self, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
        seen: list[Path] = []

        def counted(path: Path, *rest: Any) -> object:
            seen.append(path)
            return validate(path, *rest)

        monkeypatch.setattr("reme_cli.config.load.validate", counted)
        return seen

    def test_a_hit_equals_validation(self, root: Path, cached: Path, validations: list[Path]) -> None:
        hit = load_config(root, {})
        assert validations == []
        assert hit == validate(root, self.TEXT.encode(), {}, {})

    @pytest.mark.parametrize(
        "change", ["file", "variable", "version", "tampered", "truncated", "not json", "other shape"]
    )
    def test_a_miss_validates_again(
        self,
        root: Path,
        cached: Path,
        validations: list[Path],
        monkeypatch: pytest.MonkeyPatch,
        change: str,
    ) -> None:
        env: dict[str, str] = {}
        text = cached.read_text(encoding="utf-8")
        match change:
            case "file":
                write(root, self.TEXT + "# changed\n")
            case "variable":
                env = {"REME_LANGUAGE": "zh"}
            case "version":
                monkeypatch.setattr("reme_cli.__version__", "0.0.0")
            case "tampered":
                cached.write_text(text.replace('"daily": "daily"', '"daily": "../daily"'), encoding="utf-8")
            case "truncated":
                cached.write_text(text[: len(text) // 2], encoding="utf-8")
            case "not json":
                cached.write_bytes(b"\xff\x00")
            case _:
                cached.write_text("[]", encoding="utf-8")
        assert load_config(root, env) == validate(root, (root / "vault.yaml").read_bytes(), env, {})
        assert validations

    def test_it_is_kept_only_where_there_is_a_cache_folder(self, root: Path) -> None:
        write(root, self.TEXT)
        load_config(root, {})
        assert os.listdir(root) == ["vault.yaml"]

    def test_it_follows_the_metadata_folder(self, root: Path, validations: list[Path]) -> None:
        (root / ".reme/cache").mkdir(parents=True)
        write(root, "folders: {metadata: .reme}")
        first = load_config(root, {})
        assert (root / ".reme/cache/config.json").is_file()
        assert load_config(root, {}) == first
        assert len(validations) == 1

    @pytest.mark.skipif(sys.platform == "win32", reason="symlinks need a privilege on Windows")
    def test_a_cache_folder_outside_the_vault_is_not_used(self, tmp_path: Path) -> None:
        outside, root = tmp_path / "outside", tmp_path / "vault"
        outside.mkdir()
        (root / "metadata").mkdir(parents=True)
        (root / "metadata/cache").symlink_to(outside)
        write(root, self.TEXT)
        assert load_config(root, {}).config.timezone == "Asia/Shanghai"
        assert os.listdir(outside) == []

    def test_a_folder_in_its_place_is_no_error(self, root: Path, cached: Path) -> None:
        cached.unlink()
        cached.mkdir()
        assert load_config(root, {}).config.timezone == "Asia/Shanghai"
        assert os.listdir(cached.parent) == ["config.json"]

    def test_options_are_not_cached(self, root: Path, cached: Path) -> None:
        assert load_config(root, {}, {"dream.max_units": "2"}).config.dream.max_units == 2
        assert load_config(root, {}).config.dream.max_units == Config().dream.max_units

    def test_a_hit_needs_neither_yaml_nor_validation(
        self, cached: Path, root: Path, reme_process: Callable[..., object]
    ) -> None:
        import subprocess

        code = (
            "import sys; from pathlib import Path; from reme_cli.config.load import load_config;"
            "load_config(Path(sys.argv[1]), {}); print([m for m in ('yaml', 'pydantic') if m in sys.modules])"
        )
        project = Path(__file__).parent.parent
        done = subprocess.run(
            [sys.executable, "-c", code, str(root)], cwd=project, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "[]"


def test_keys_differ_by_every_input() -> None:
    keys = {
        config_cache.key_of(None, {}),
        config_cache.key_of(b"", {}),
        config_cache.key_of(b"a: 1", {}),
        config_cache.key_of(b"", {"REME_LANGUAGE": "zh"}),
        config_cache.key_of(b"", {"REME_LANGUAGE": "en"}),
    }
    assert len(keys) == 5
