"""Options as pydantic fields, the source of refusals, schemas and commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from dateline.errors import BadInput, DatelineError

_Class = TypeVar("_Class", bound=type)

MAX_SEED = 2**32 - 1
"""The greatest seed that every generator of random numbers takes."""

OTHER_WORDS: tuple[frozenset[str], ...] = (
    frozenset({"question", "query", "input"}),
    frozenset(
        {"retriever", "vectorstore", "vector_store", "inner", "store", "index", "base_retriever", "search", "engine"}
    ),
    frozenset({"k", "top_k", "top_n", "similarity_top_k", "n", "limit", "num_results", "n_results", "fetch_k"}),
    frozenset({"candidates", "fetch_k", "similarity_top_k", "pool"}),
    frozenset({"model", "llm", "chat_model"}),
    frozenset({"embeddings", "embedding", "embed_model", "embedding_function", "encoder"}),
    frozenset({"as_of", "date", "at", "when", "today", "time"}),
    frozenset({"published", "date", "publish_date", "published_at", "timestamp"}),
    frozenset({"docs", "documents", "context", "nodes", "source_documents", "folder", "path", "library"}),
    frozenset({"evidence", "passages", "documents"}),
    frozenset({"facts", "store", "fact_store"}),
    frozenset({"max_rounds", "rounds", "retries", "max_retries"}),
    frozenset({"abstention", "empty_response", "unknown", "fallback"}),
    frozenset({"per_document", "separately", "alone"}),
    frozenset({"interrupt_on", "ask", "approve", "approval"}),
    frozenset({"min_sources", "agree"}),
    frozenset({"token_budget", "budget", "max_input_tokens"}),
    frozenset({"max_new_tokens", "max_tokens", "max_output_tokens"}),
    frozenset({"threshold", "cutoff", "similarity_cutoff", "score_threshold"}),
    frozenset({"reranker", "compressor", "base_compressor", "ranker", "postprocessor"}),
    frozenset({"response_synthesizer", "synthesizer"}),
    frozenset({"report", "html", "page"}),
)
"""Words that libraries use for one thing. Chosen by hand from LangChain's, LlamaIndex's and our own earlier names."""


def without_example(schema: dict[str, Any]) -> None:
    """Leave examples for Python out of a schema's description."""
    if "description" in schema:
        schema["description"] = schema["description"].partition("Example:")[0].partition(">>>")[0].strip()


class BaseOptions(BaseModel):
    """Options of a run; an impossible value is refused in a sentence.

    A subclass lists its fields with `Field(ge=..., le=..., description=...)`. Two sets of options are equal when their
    values are; a value that cannot be hashed, such as a chat model, equals only itself.

    Raises:
        BadInput: for a value out of range, of another kind, or a name that is no option.

    Example:
        >>> from pydantic import Field
        >>> class PageOptions(BaseOptions):
        ...     k: int = Field(default=5, ge=1, le=100, description="How many.")
        >>> PageOptions(k="7").k
        7
        >>> PageOptions(k="seven")
        Traceback (most recent call last):
        dateline.errors.BadInput: k must be a whole number from 1 to 100, not 'seven'.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        arbitrary_types_allowed=True,
        json_schema_extra=without_example,
    )

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as cause:
            raise refusal(cause, type(self)) from cause

    def replaced(self, **changes: Any) -> Self:
        """Return a copy with other values, checked like the first ones."""
        return type(self)(**{**dict(self), **changes})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (type(self).__name__, *(id(value) if value.__hash__ is None else value for _, value in self))


def read_option(name: str, value: Any, *, field: FieldInfo) -> Any:
    """Return the value of one option, read as its field reads it.

    Raises:
        BadInput: for a value that the field refuses.
    """
    try:
        return _adapter(field).validate_python(value)
    except ValidationError as cause:
        raise _refused(name, field, cause.errors()[0], loc=()) from cause


def refusal(cause: ValidationError, kind: type[BaseModel]) -> BadInput:
    """Turn pydantic's first refusal into one sentence of ours.

    A misspelt name comes before the one that is missing for it.
    """
    errors = cause.errors()
    first = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    told, loc = first.get("ctx", {}).get("error"), first["loc"]
    if isinstance(told, DatelineError) or not loc:
        return BadInput(str(told or first["msg"]))
    name, called = str(loc[0]), kind.model_config.get("title") or kind.__name__
    if first["type"] == "extra_forbidden":
        return unknown(name, of=called, known=kind.model_fields)
    if first["type"] == "missing":
        return BadInput(f"{called} needs {name}; it takes {', '.join(kind.model_fields)}.")
    field = kind.model_fields.get(name)
    return BadInput(f"{name}: {first['msg']}.") if field is None else _refused(name, field, first, loc=loc[1:])


def unknown(name: str, *, of: str, known: Iterable[str]) -> BadInput:
    """Write the refusal of an unknown name, with a suggestion."""
    names = list(known)
    meant = suggestion(name, known=names)
    fix = f"did you mean {meant}?" if meant else f"it takes {', '.join(names)}."
    return BadInput(f"{of} has no {name!r}; {fix}")


def wrong_part(part: Any, *, name: str, give: str) -> BadInput:
    """Write the refusal of a part of the wrong kind."""
    return BadInput(f"{name} must be {give}, not {_shown(part)}.")


def refuse_near_misses(given: Iterable[str], *, of: str, own: Collection[str], taken: Collection[str] = ()) -> None:
    """Refuse a name, meant for something inner, that resembles one's own.

    Args:
        given: the names that would be handed on.
        of: who hands them on.
        own: the names that it takes itself.
        taken: the names that the inner one is known to take.

    Raises:
        BadInput: for the first near miss.
    """
    for name in given:
        if name not in taken and suggestion(name, known=own):
            raise unknown(name, of=of, known=own)


def suggestion(name: str, *, known: Collection[str]) -> str:
    """Return the most similar known name, or ""."""
    asked = name.lower().replace("-", "_")
    groups = [group for group in OTHER_WORDS if asked in group]
    same = [each for each in known if any(each.replace("-", "_") in group for group in groups)]
    return next(iter([*same, *get_close_matches(asked, list(known), n=1)]), "")


def demand(field: FieldInfo) -> str:
    """Write a field's demand, as the end of "k must be"."""
    kinds = [each for each in _members(field.annotation) if each is not NoneType]
    kind = kinds[0]
    if get_origin(kind) is Literal and len(kinds) == 1:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        return f"a {'whole number' if kind is int else 'number'}{_span(field, whole=kind is int)}"
    if kind is str:
        return "text"
    if get_origin(kind) is tuple:
        held = get_args(kind)[0]
        return "a list of " + (", ".join(get_args(held)) if get_origin(held) is Literal else "texts")
    choices = next(
        (f" or one of {', '.join(map(str, get_args(each)))}" for each in kinds if get_origin(each) is Literal), ""
    )
    classes = [getattr(each, "__name__", str(each)) for each in kinds if get_origin(each) is not Literal]
    article = "an" if classes[0][:1].lower() in "aeiou" else "a"
    return f"{article} {' or '.join(classes)}{choices}"


def span(low: float, high: float | None = None, *, ends: bool = True) -> str:
    """Write a range in words: "from 1 to 100", "above 0"."""
    if not ends:
        return f"above {low}" + ("" if high is None else f" and below {high}")
    return f"of {low} or more" if high is None else f"from {low} to {high}"


def checked_arguments(cls: _Class) -> _Class:
    """Make a class refuse unknown or unusable arguments in one sentence.

    For pydantic models and for plain classes alike; the sentence names the word that was probably meant. A model takes its first
    field without a default as a positional argument, too.
    """
    made: Any = cls
    first: Callable[..., None] = made.__init__
    taken = signature(first)
    named = [
        one
        for one in list(taken.parameters.values())[1:]
        if one.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    ]
    model = issubclass(cls, BaseModel) and not named
    known = [] if model else _arguments(cls)

    @wraps(first)
    def init(self: Any, *args: Any, **given: Any) -> None:
        names = list(type(self).model_fields) if model else known
        if model and args:
            args, given = (), _named(type(self), args, given)
        for name in given:
            if name not in names:
                raise unknown(name, of=cls.__name__, known=names)
        if not model:
            _check_whole(cls, taken, args, given)
        try:
            first(self, *args, **given)
        except ValidationError as cause:
            if not model:
                raise
            raise refusal(cause, type(self)) from cause

    made.__init__ = init
    return cls


def _named(cls: type[BaseModel], args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
    """Name a model's positional argument: its first field without a default."""
    first = next((name for name, field in cls.model_fields.items() if field.is_required()), "")
    if not first or len(args) > 1 or first in given:
        takes = (
            f"one argument without a name, {first}, and the others by theirs" if first else "arguments by name alone"
        )
        raise BadInput(f"{cls.__name__} takes {takes}: {', '.join(cls.model_fields)}.")
    return {first: args[0], **given}


def _arguments(cls: type) -> list[str]:
    """List a plain class's argument names, its bases' included."""
    names: list[str] = []
    for each in cls.__mro__:
        found = [one for name, one in signature(each.__init__).parameters.items() if name != "self"]  # type: ignore[misc]
        names += [one.name for one in found if one.kind in (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
        if not any(one.kind is Parameter.VAR_KEYWORD for one in found):
            break
    return list(dict.fromkeys(names))


def _check_whole(cls: type, taken: Any, args: tuple[Any, ...], given: dict[str, Any]) -> None:
    try:
        taken.bind(None, *args, **given)
    except TypeError as cause:
        raise BadInput(f"{cls.__name__}: {cause}; it takes {', '.join(_arguments(cls))}.") from cause


def _adapter(field: FieldInfo) -> TypeAdapter[Any]:
    bounded: Any = Annotated[(field.annotation, "option", *field.metadata)]
    return TypeAdapter(bounded, config=ConfigDict(allow_inf_nan=False, arbitrary_types_allowed=True))


def _refused(name: str, field: FieldInfo, error: Any, *, loc: tuple[Any, ...]) -> BadInput:
    told = error.get("ctx", {}).get("error")
    if isinstance(told, DatelineError):
        return BadInput(str(told))
    held = any(isinstance(part, int) for part in loc)
    shown = _shown(error["input"])
    return BadInput(f"{name} must be {demand(field)}{f'; {shown} is none' if held else f', not {shown}'}.")


def _span(field: FieldInfo, *, whole: bool) -> str:
    low = next((_plain(each.ge) for each in field.metadata if isinstance(each, Ge)), None)
    high = next((_plain(each.le) for each in field.metadata if isinstance(each, Le)), None)
    above = next((_plain(each.gt) for each in field.metadata if isinstance(each, Gt)), None)
    below = next((_plain(each.lt) for each in field.metadata if isinstance(each, Lt)), None)
    if above is not None and not whole:
        return f" {span(above, below, ends=False)}"
    low = low if above is None else above + 1
    return f" up to {high}" if low is None and high is not None else "" if low is None else f" {span(low, high)}"


def _plain(bound: Any) -> Any:
    """A bound as a person writes it: 1, not 1.0."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def _members(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _shown(value: Any) -> str:
    plain = value is None or isinstance(value, str | int | float)
    if plain:
        return repr(value) if len(repr(value)) <= 80 else f"{repr(value)[:77]}..."
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
