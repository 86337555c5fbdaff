"""A server of OpenAI's chat completions on this machine, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Literal, Self, get_args

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, convert_to_messages

from dateline.errors import BadInput, check_choice
from dateline.testing.openai_protocol import (
    RefusedRequest,
    asked_schema,
    check_alternation,
    chunks_of,
    completion_of,
    follows,
    least_instance,
)

Schemas = Literal["honour", "ignore", "refuse"]

MOST_BYTES = 16_000_000
_PASSED = ("stop", "max_tokens", "temperature", "top_p", "seed", "logprobs", "top_logprobs")


class OpenAIServer:
    """An OpenAI-compatible server, on localhost alone and without keys.

    It answers `/v1/chat/completions`, also as a stream, with usage, log-probabilities and tool calls, and `/v1/models`.
    `requests` holds the bodies of all requests in the order in which they came.

    Args:
        replies: in order, the last one again and again: texts, messages (with tool calls, or log-probabilities in their
            `response_metadata`), or errors, which come as the server's own (500).
        model: any chat model of LangChain that answers instead.
        alternating: refuse chats whose turns do not alternate, as the templates of many models do.
        schemas: honour a JSON schema as constrained decoding does, whatever the model says; ignore it, as many local
            servers do; or refuse it.
        logprobs: tell log-probabilities; else refuse requests for them.

    Raises:
        BadInput: without replies or a model, or with both.

    Example:
        >>> from urllib.request import urlopen
        >>> with OpenAIServer(["Carl Dahl."]) as server:
        ...     urlopen(f"{server.url}/models").status
        200
    """

    def __init__(
        self,
        replies: Sequence[str | AIMessage | Exception] = (),
        *,
        model: BaseChatModel | None = None,
        alternating: bool = False,
        schemas: Schemas = "honour",
        logprobs: bool = True,
    ) -> None:
        if bool(replies) == (model is not None):
            raise BadInput("A server answers with replies or with a model; give one of them.")
        check_choice(schemas, name="schemas", choices=get_args(Schemas))
        self.replies, self.model = list(replies), model
        self.alternating, self.schemas, self.logprobs = alternating, schemas, logprobs
        self.requests: list[dict[str, Any]] = []
        self._lock = Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        """Base of the addresses, for `base_url` or OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def answer(self, request: Mapping[str, Any]) -> AIMessage:
        """Return the reply to one request.

        Raises:
            RefusedRequest: for what the server does not take.
        """
        with self._lock:
            self.requests.append(dict(request))
            place = min(len(self.requests), max(1, len(self.replies))) - 1
        if self.alternating:
            check_alternation(request["messages"])
        if request.get("logprobs") and not self.logprobs:
            raise RefusedRequest("This model does not support logprobs.")
        schema = asked_schema(request)
        if schema is not None and self.schemas == "refuse":
            raise RefusedRequest("This model does not support response_format json_schema.")
        reply = self._asked(request) if self.model is not None else self.replies[place]
        if isinstance(reply, Exception):
            raise reply
        message = AIMessage(content=reply) if isinstance(reply, str) else reply
        if schema is not None and self.schemas == "honour" and not follows(str(message.text), schema):
            return AIMessage(content=json.dumps(least_instance(schema)))
        return message

    def _asked(self, request: Mapping[str, Any]) -> AIMessage:
        assert self.model is not None
        given = {name: request[name] for name in _PASSED if request.get(name) is not None}
        given |= {"max_tokens": most} if (most := request.get("max_completion_tokens")) else {}
        model: Any = self.model.bind_tools(request["tools"]) if request.get("tools") else self.model
        reply: AIMessage = model.bind(**given).invoke(convert_to_messages(request["messages"]))
        return reply


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def __init__(self, server: OpenAIServer, *given: Any) -> None:
        self._answering = server
        super().__init__(*given)

    def do_GET(self) -> None:
        if self.path.rstrip("/") != "/v1/models":
            self._fault(404, "There is nothing here.")
            return
        one = {"id": "local", "object": "model", "created": 0, "owned_by": "dateline"}
        self._send(200, {"object": "list", "data": [one]})

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(size, MOST_BYTES))
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._fault(404, "There is nothing here.")
            return
        try:
            request = json.loads(body)
            reply = self._answering.answer(request)
        except RefusedRequest as refused:
            self._fault(400, str(refused))
        except (json.JSONDecodeError, LookupError, TypeError, AttributeError) as cause:
            self._fault(400, f"The request cannot be read: {cause}")
        except Exception as cause:
            self._fault(500, f"{type(cause).__name__}: {cause}")
        else:
            if request.get("stream"):
                self._stream(reply, request)
            else:
                self._send(200, completion_of(reply, request=request))

    def _stream(self, reply: AIMessage, request: Mapping[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in chunks_of(reply, request=request):
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _fault(self, status: int, told: str) -> None:
        self._send(status, {"error": {"message": told, "type": "invalid_request_error", "param": None, "code": None}})

    def _send(self, status: int, value: Mapping[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *given: Any) -> None:
        """Keep quiet."""
