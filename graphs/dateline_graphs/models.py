"""Chat models by their names: a provider's, a folder's, a GGUF file's."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel

from dateline import BadInput
from dateline.pretrained import model_path, shared_pretrained
from dateline.secrets import without_secrets


def chat_model(name: str | BaseChatModel, *, temperature: float | None = None) -> BaseChatModel:
    """Return the chat model of a name.

    Args:
        name: `provider:model` as LangChain names them, a folder of `save_pretrained`, or a GGUF file; a model itself is
            returned as it is.
        temperature: of its replies; `None`: the provider's own, 0 for a local model.

    Raises:
        BadInput: for a name that cannot be read, a model, package or key that is missing.
        MissingExtra: for a local model without the packages that run it.
    """
    if not isinstance(name, str):
        return name
    chosen: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
    if (path := model_path(name)) is not None:
        from langchain_dateline.transformers_chat import TransformersChatModel

        return TransformersChatModel(model=shared_pretrained(str(path.resolve())), **chosen)
    provider, colon, model = name.partition(":")
    if not (provider and colon and model):
        raise BadInput(
            f"Cannot read the model {name!r}; write provider:model, for instance openai:gpt-4o-mini, "
            "or name a folder or GGUF file that is there."
        )
    from langchain.chat_models import init_chat_model

    failed: BadInput
    try:
        made: BaseChatModel = init_chat_model(name, **chosen)
        return made
    except (ImportError, AttributeError):
        # Some providers are looked for in langchain-community next, which lacks the class.
        package = f"langchain-{provider.replace('_', '-')}"
        failed = BadInput(f'The model {name!r} needs a package; install it with: pip install "{package}"')
    except Exception as cause:
        # Providers raise errors of their own kinds for a missing key; their text may hold anything but is one line.
        failed = BadInput(f"The model {name!r} cannot be used: {without_secrets(str(cause)) or type(cause).__name__}")
    # Raised outside the handlers: the original, which may quote a key, does not travel along.
    raise failed
