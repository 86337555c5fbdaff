"""Configuration of a server, `dateline.toml`.

Paths, addresses, models, policies and keys are the developer's; a client sends names out of this file.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator, model_validator

from dateline.databases import database_url
from dateline.errors import BadInput
from dateline.facts import SlotPack
from dateline.files import expanded
from dateline.options import BaseOptions
from dateline_graphs.options import PolicyOptions, UpdaterName

VARIABLE, FILE = "DATELINE_CONFIG", "dateline.toml"
"""Where the configuration is looked for: a path in the environment, then a file in the working directory."""


def _from_environment(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith("env:"):
        return value
    name = value.removeprefix("env:")
    if not os.environ.get(name):
        raise BadInput(f"The environment has no {name}; set it, since the configuration says {value!r}.")
    return os.environ[name]


LOCAL_USER = "studio"
"""The identity of the one user of a server that names no users."""

Secret = Annotated[SecretStr, BeforeValidator(_from_environment)]
"""A text that is never shown; `env:NAME` takes it from the environment."""


class NamedPart(BaseOptions):
    """Part of the configuration that clients may name."""

    users: tuple[str, ...] = Field(default=(), description="Users and roles that may name it. Empty: every user.")


class LibraryConfig(NamedPart):
    """Library: a folder of dated documents, one file, or a database."""

    path: Path | None = Field(
        default=None, description="A folder or file; a relative one begins where the configuration lies."
    )
    address: Secret | None = Field(
        default=None,
        description="Instead of path: a database that dateline index --to filled; env:NAME takes it from the environment.",
    )
    trust_sources: bool = Field(
        default=False, description="Count the source that a document states as where it came from."
    )

    @property
    def docs(self) -> str:
        """Return where the documents are, by path or address."""
        return str(self.path or "") if self.address is None else self.address.get_secret_value()

    @property
    def kept_back(self) -> tuple[str, ...]:
        """Return what tells where the documents are, in whatever spelling.

        It is a path, or the parts of an address; an empty text is in every error.
        """
        if self.address is None:
            return (self.docs,)
        try:
            url = database_url(self.docs, what="library")
        except BadInput:
            return ("",)
        return (self.docs, *(str(part) for part in (url.password, url.host, url.database) if part))

    @model_validator(mode="after")
    def _in_one_place(self) -> LibraryConfig:
        if (self.path is None) == (self.address is None):
            raise BadInput("A library lies in one place; give its path, or the address of a database.")
        return self


class StoreConfig(NamedPart):
    """Fact store: its place, users, approvers and policy."""

    address: Secret = Field(description="A folder, or a database URL; env:NAME takes it from the environment.")
    per_user: bool = Field(default=False, description="One store for each user, in a folder of its own below address.")
    approvers: tuple[str, ...] = Field(
        default=(), description="Users and roles that decide about edits that wait. Empty: whoever may use the store."
    )
    slots: Path | None = Field(default=None, description="A TOML file of attributes, beside those that are shipped.")
    updater: UpdaterName = Field(default="local", description="local: by rules. chat: a chat model decides.")
    model: str = Field(default="", description="For the chat updater: a name out of models.")
    policy: PolicyOptions = Field(default=PolicyOptions(), description="Who may edit, and which edits wait.")

    def address_for(self, identity: str) -> str:
        """Return the store's address for a user."""
        address = self.address.get_secret_value()
        return str(Path(address) / f"user-{quote(identity, safe='')}") if self.per_user else address


class ModelConfig(NamedPart):
    """Chat model by its LangChain name, a folder or a GGUF file."""

    name: str = Field(description="provider:model, such as openai:gpt-4o-mini, or a folder or GGUF file with a model.")


class EngineConfig(NamedPart):
    """Search engine; its key comes from the environment."""

    kind: Literal["serpapi"] = Field(description="serpapi: Google through SerpAPI (SERPAPI_API_KEY).")


class UserConfig(BaseOptions):
    """User: a token and roles."""

    token: Secret = Field(description="What the user shows at each request; env:NAME takes it from the environment.")
    roles: tuple[str, ...] = Field(default=(), description="Groups that users= and approvers= may name.")


class Limits(BaseOptions):
    """Limits of one run.

    A client's number above the limit of its name is refused.
    """

    documents: int = Field(default=500, ge=1, description="Items of a list: documents, passages, turns, choices.")
    document_characters: int = Field(default=200_000, ge=1, description="Characters of one of them.")
    question_characters: int = Field(default=4_000, ge=1, description="Characters of a question.")
    characters: int = Field(default=5_000_000, ge=1, description="Characters of the whole input of a run.")
    k: int = Field(default=50, ge=1, description="Pieces of evidence a reader sees.")
    candidates: int = Field(default=200, ge=0, description="Further pieces of each search.")
    token_budget: int = Field(default=32_000, ge=600, description="Tokens a chat model is given at once.")
    max_rounds: int = Field(default=5, ge=0, description="Further rounds of retrieval.")
    max_new_tokens: int = Field(default=2_000, ge=1, description="Tokens of a generated answer.")


class ServerTable(BaseOptions):
    """The server's own settings."""

    hosts: tuple[str, ...] = Field(default=(), description="Names this server is called by, beside this machine's own.")
    checkpoints: Secret | None = Field(
        default=None, description="A PostgreSQL address that keeps threads; env:NAME takes it from the environment."
    )


class ServerConfig(BaseOptions):
    """Configuration of a server, read from `dateline.toml` and checked as a whole.

    Raises:
        BadInput: for an unknown name or an impossible value, in one sentence.

    Example:
        >>> config = ServerConfig(models={"small": "openai:gpt-4o-mini"}, users={"ann": {"token": "t", "roles": ["desk"]}})
        >>> config.models["small"].name
        'openai:gpt-4o-mini'
        >>> config.known_as("ann")
        ('ann', 'desk')
    """

    libraries: Mapping[str, LibraryConfig] = Field(default={}, description="Folders of documents, by name.")
    stores: Mapping[str, StoreConfig] = Field(default={}, description="Fact stores, by name.")
    models: Mapping[str, ModelConfig] = Field(default={}, description="Chat models, by name.")
    engines: Mapping[str, EngineConfig] = Field(default={}, description="Search engines, by name.")
    users: Mapping[str, UserConfig] = Field(default={}, description="Users, by name. Empty: one, named studio.")
    limits: Limits = Field(default=Limits(), description="Limits of one run.")
    server: ServerTable = Field(default=ServerTable(), description="The server's own settings.")

    @field_validator("models", mode="before")
    @classmethod
    def _model_names(cls, given: Any) -> Any:
        return _written_out(given, "name")

    @field_validator("engines", mode="before")
    @classmethod
    def _engine_kinds(cls, given: Any) -> Any:
        return _written_out(given, "kind")

    @model_validator(mode="after")
    def _checked(self) -> ServerConfig:
        for fault in _faults(self):
            raise BadInput(fault)
        return self

    def known_as(self, identity: str) -> tuple[str, ...]:
        """Return the names of a user: the own one, then roles."""
        user = self.users.get(identity)
        return (identity, *(user.roles if user else ()))

    def allows(self, names: tuple[str, ...], identity: str) -> bool:
        """Check that a user is among users and roles.

        Where nobody is named, everyone is.
        """
        return not names or not set(names).isdisjoint(self.known_as(identity))


def read_config(path: str | Path | None = None) -> ServerConfig:
    """Read the configuration of a server.

    Args:
        path: its file. `None`: the one that `DATELINE_CONFIG` names, else `dateline.toml` in the working directory,
            else there is nothing to name.

    Raises:
        BadInput: for a file that cannot be read, an unknown name or an impossible value, in one sentence.
    """
    given = str(path or os.environ.get(VARIABLE, ""))
    file = expanded(given or FILE)
    if not given and not file.is_file():
        return ServerConfig()
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as cause:
        raise BadInput(f"Cannot read the configuration {file}: {cause.strerror or cause}.") from cause
    except ValueError as cause:
        raise BadInput(f"The configuration {file} is no TOML: {cause}.") from cause
    try:
        return _below(file.resolve().parent, ServerConfig(**tables))
    except BadInput as cause:
        raise BadInput(f"{file}{_place(cause)}: {cause}") from cause


def _written_out(given: Any, field: str) -> Any:
    """Write `name = "value"` out as a table."""
    if not isinstance(given, Mapping):
        return given
    return {name: {field: value} if isinstance(value, str) else value for name, value in given.items()}


def _below(folder: Path, config: ServerConfig) -> ServerConfig:
    """Return the configuration with its paths below a folder."""
    libraries = {
        name: one if one.path is None else one.replaced(path=(folder / expanded(one.path)).resolve())
        for name, one in config.libraries.items()
    }
    for name, library in libraries.items():
        if library.path is not None and not library.path.exists():
            raise BadInput(f"The library {name!r} is not there; make its path {library.path}, or name another.")
    stores = {
        name: one.replaced(address=_address(folder, one), slots=one.slots and (folder / expanded(one.slots)).resolve())
        for name, one in config.stores.items()
    }
    for store in stores.values():
        if store.slots is not None:
            SlotPack.load(store.slots)  # a client would be told of the store's name alone
    models = {name: one.replaced(name=_model(folder, name, one.name)) for name, one in config.models.items()}
    return config.replaced(libraries=libraries, stores=stores, models=models)


def _address(folder: Path, store: StoreConfig) -> str:
    address = store.address.get_secret_value()
    return address if "://" in address else str((folder / expanded(address)).resolve())


def _model(folder: Path, name: str, model: str) -> str:
    path = (folder / expanded(model)).resolve()
    if ":" not in model and not path.exists():
        raise BadInput(f"The model {name!r} is not there; write provider:model, or make the folder {path}.")
    return model if ":" in model else str(path)


def _place(cause: BadInput) -> str:
    errors = cause.__cause__.errors() if isinstance(cause.__cause__, ValidationError) else []
    place = ".".join(str(part) for part in errors[0]["loc"]) if errors else ""
    return f" [{place}]" if place else ""


def _faults(config: ServerConfig) -> Iterator[str]:
    """Yield what does not fit together, a sentence each."""
    roles = {role for user in config.users.values() for role in user.roles}
    known = {*config.users, *roles} or {LOCAL_USER}
    for shared in sorted(roles & set(config.users)):
        yield f"{shared!r} is a user and a role; give one of them another name."
    same = [name for name, times in Counter(map(str.casefold, config.users)).items() if times > 1]
    for name in same:
        yield f"Two users are called {name!r} but for the letters' case; give one of them another name."
    tokens: dict[str, str] = {}
    for name, user in config.users.items():
        if not (token := user.token.get_secret_value()):
            yield f"The user {name!r} has an empty token; give each user one, such as: openssl rand -hex 32."
        if (other := tokens.setdefault(token, name)) != name:
            yield f"The users {other!r} and {name!r} have one token; give each user one of their own."
    parts: dict[str, Mapping[str, NamedPart]] = {
        "library": config.libraries,
        "store": config.stores,
        "model": config.models,
        "engine": config.engines,
    }
    for kind, named in parts.items():
        for name, part in named.items():
            wanted = {*part.users, *(part.approvers if isinstance(part, StoreConfig) else ())}
            for unknown in sorted(wanted - known):
                yield f"The {kind} {name!r} names {unknown!r}; the users and roles are {', '.join(sorted(known))}."
    if config.engines and not os.environ.get("SERPAPI_API_KEY"):
        yield "SERPAPI_API_KEY is not set; set it to your key, or take the engine out of [engines]."
    yield from _faults_of_stores(config)


def _faults_of_stores(config: ServerConfig) -> Iterator[str]:
    homes: dict[str, str] = {}
    for name, store in config.stores.items():
        address = store.address.get_secret_value()
        other = homes.setdefault(address, name)
        if other != name:
            yield f"The stores {other!r} and {name!r} have one address, and so two policies; keep one of them."
        if store.per_user and "://" in address:
            yield f"The store {name!r} cannot be per_user in one database; give a folder, or a store for each user."
        if store.updater == "chat" and store.model not in config.models:
            models = ", ".join(config.models) or "there is none yet: add it to [models]"
            yield f"The store {name!r} has the chat updater and no model {store.model!r}; choose among: {models}."
