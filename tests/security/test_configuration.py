"""The configuration of a server: read whole, or refused at start in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from dateline import BadInput
from dateline_graphs.server import ServerConfig, read_config
from dateline_graphs.server.config import LOCAL_USER, LibraryConfig
from dateline_graphs.server.tokens import VARIABLE, UserTokens, token_of_start

TWO_USERS = """
[users.ann]
token = "env:TOKEN_OF_ANN"
roles = ["desk"]
[users.bob]
token = "b-token"
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "dateline.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_configuration_names_libraries_stores_models_and_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN_OF_ANN", "a-token")
    (tmp_path / "notes").mkdir()
    text = """
    libraries.notes.path = "notes"
    models.small = "openai:gpt-4o-mini"
    [stores.team]
    address = "facts"
    users = ["desk"]
    approvers = ["ann"]
    policy = {interrupt_on = ["add"], min_sources = 2, sources = ["Gazette"]}
    """
    config = read_config(written(tmp_path, text + TWO_USERS))
    assert config.libraries["notes"].path == tmp_path / "notes"
    assert config.stores["team"].address_for("ann") == str(tmp_path / "facts")
    policy = config.stores["team"].policy.policy()
    assert (policy.interrupt_on, policy.min_sources, policy.sources) == (("add",), 2, ("Gazette",))
    assert config.users["ann"].token.get_secret_value() == "a-token"
    assert [config.allows(("desk",), name) for name in ("ann", "bob", "", "eve")] == [True, False, False, False]


def test_no_secret_is_shown(tmp_path: Path) -> None:
    text = """
    stores.team.address = "postgresql+psycopg://me:hunter2@db/facts"
    users.ann.token = "hunter2"
    """
    assert "hunter2" not in repr(read_config(written(tmp_path, text)))


def test_the_configuration_is_found_by_the_environment_then_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATELINE_CONFIG", raising=False)
    assert not read_config().models
    written(tmp_path, 'models.here = "openai:a"')
    assert set(read_config().models) == {"here"}
    named = tmp_path / "other.toml"
    named.write_text('models.there = "openai:b"', encoding="utf-8")
    monkeypatch.setenv("DATELINE_CONFIG", str(named))
    assert set(read_config().models) == {"there"}
    monkeypatch.setenv("DATELINE_CONFIG", str(tmp_path / "gone.toml"))
    with pytest.raises(BadInput, match="Cannot read the configuration"):
        read_config()


def test_no_two_users_share_a_store_of_each_user(tmp_path: Path) -> None:
    store = read_config(written(tmp_path, 'stores.own = {address = "facts", per_user = true}')).stores["own"]
    identities = ["ann", "bob", "../bob", "..", ".", "", "a/b", "a%2Fb", "\x00", "ä", "user-ann"]
    addresses = {store.address_for(identity) for identity in identities}
    assert len(addresses) == len(identities)
    assert {Path(address).parent for address in addresses} == {tmp_path / "facts"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("libraries = 3", "libraries must be"),
        ("library.notes.path = 'x'", "ServerConfig has no 'library'; did you mean libraries?"),
        ("libraries.notes.pth = 'x'", "[libraries.notes]: LibraryConfig has no 'pth'; did you mean path?"),
        ("libraries.notes.path = 'gone'", "The library 'notes' is not there"),
        ("libraries.notes = {path = '.', users = ['eve']}", "names 'eve'; the users and roles are studio."),
        ("models.small = 'gone'", "The model 'small' is not there; write provider:model"),
        ("engines.web = 'altavista'", "[engines.web]: kind must be one of serpapi, not 'altavista'."),
        ("engines.web = 'serpapi'", "SERPAPI_API_KEY is not set"),
        ("users.ann.token = 'env:UNSET_TOKEN'", "The environment has no UNSET_TOKEN; set it"),
        ("[users]\nann = {token = 't', roles = ['ann']}", "'ann' is a user and a role"),
        ("[users]\nann = {token = 't'}\nAnn = {token = 'u'}", "Two users are called 'ann'"),
        ("[users]\nann = {token = 't'}\nbob = {token = 't'}", "The users 'ann' and 'bob' have one token"),
        ("users.ann.token = ''", "The user 'ann' has an empty token"),
        ("stores.a = {address = 'f', policy = {agree = 2}}", "PolicyOptions has no 'agree'; did you mean min_sources?"),
        ("stores.a = {address = 'f', updater = 'chat'}", "The store 'a' has the chat updater and no model ''"),
        ("stores.a = {address = 'sqlite:///x', per_user = true}", "cannot be per_user in one database"),
        ("[stores]\na = {address = 'f'}\nb = {address = './f'}", "The stores 'a' and 'b' have one address"),
        ("limits.k = 0", "[limits]: k must be a whole number of 1 or more, not 0."),
        ("limits = [", "is no TOML"),
    ],
)
def test_a_bad_configuration_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    monkeypatch.delenv("SERPAPI_API_KEY", raising=False)
    file = written(tmp_path, text)
    with pytest.raises(BadInput) as refused:
        read_config(file)
    assert sentence in str(refused.value)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_configuration_in_the_documentation_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    text = page.partition("```toml\n")[2].partition("```")[0]
    for name in ("SERPAPI_API_KEY", "FACTS_DATABASE", "TOKEN_OF_ANN", "TOKEN_OF_BOB"):
        monkeypatch.setenv(name, name)
    for folder in ("examples/corpus", "diaries/ann", "models/smollm2"):
        (tmp_path / folder).mkdir(parents=True)
    config = read_config(written(tmp_path, text))
    assert (config.limits.k, config.stores["team"].approvers, config.engines["web"].kind) == (
        20,
        ("editors",),
        "serpapi",
    )


def test_a_library_lies_in_a_folder_or_in_a_database_but_not_in_both() -> None:
    library = LibraryConfig(address="postgresql://ana:s3cret@db/notes")
    assert library.docs == "postgresql://ana:s3cret@db/notes"
    assert "s3cret" not in f"{library!r} {library}"
    with pytest.raises(BadInput, match="one place"):
        LibraryConfig()
    with pytest.raises(BadInput, match="one place"):
        LibraryConfig(path="notes", address="postgresql://db/notes")


def test_attributes_of_a_store_lie_beside_the_configuration_and_are_read_at_once(tmp_path: Path) -> None:
    text = 'stores.own = { address = "facts", slots = "slots.toml" }\n'
    with pytest.raises(BadInput, match=r"Cannot read the attributes in .*slots\.toml"):
        read_config(written(tmp_path, text))
    (tmp_path / "slots.toml").write_text('[mentor]\nvalues = "one"\n', encoding="utf-8")
    assert read_config(written(tmp_path, text)).stores["own"].slots == tmp_path / "slots.toml"


@pytest.mark.parametrize("before", [{}, {VARIABLE: ""}])
def test_a_server_without_a_token_gets_one_that_it_accepts(before: dict[str, str]) -> None:
    environment = dict(before)
    token = token_of_start(environment)
    assert len(token) >= 32
    assert token_of_start(environment) == token
    shown = {"authorization": f"Bearer {token}"}
    assert UserTokens(ServerConfig(), environment=environment).identity(shown) == LOCAL_USER
