"""HTTP: addresses, tokens, and what is asked again."""

from __future__ import annotations

import json
import random
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, TypeAlias
from urllib.parse import quote

import httpx

from vitrine.errors import ApiError, error_of

#: A token, or what gives one whenever it is asked: tokens of a sign-in expire.
Token: TypeAlias = str | Callable[[], str]

#: Tries after the first.
_RETRIES = 3
#: Seconds: the first wait is at most the first of these, the longest at most the second.
_BACKOFF = (0.25, 8.0)
#: The longest wait that a server is granted, in seconds.
_RETRY_AFTER_MAX = 60.0
#: Replied before anything is done (docs/errors.md).
_REFUSED_UNSEEN = {"OVERLOADED", "PROVIDER_UNAVAILABLE", "VIEW_NOT_READY"}
_LOST_STATUSES = {502, 503, 504}

Query = Mapping[str, object]
Form = Mapping[str, "tuple[str | None, bytes | IO[bytes], str]"]


class Connection:
    """Makes calls to one server. Threads may share it; a process of its own opens another."""

    def __init__(self, url: str, token: Token | None, *, timeout: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._http: httpx.Client | None = None
        self._opening = threading.Lock()

    @property
    def http(self) -> httpx.Client:
        with self._opening:
            if self._http is None:
                self._http = httpx.Client(timeout=self._timeout, follow_redirects=False)
                # Sockets are closed with the last that uses them, where nobody closes them before.
                weakref.finalize(self, self._http.close)
            return self._http

    def close(self) -> None:
        with self._opening:
            if self._http is not None:
                self._http.close()
            self._http = None

    def __getstate__(self) -> dict[str, Any]:
        # Sockets and locks stay here; where it is unpickled, it connects again.
        return {"url": self.url, "_token": self._token, "_timeout": self._timeout}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["url"], state["_token"], timeout=state["_timeout"])  # type: ignore[misc]

    def get(self, path: str, query: Query | None = None) -> Any:
        """The JSON of a reply."""
        return self.request("GET", path, query=query).json()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: object = None,
        content: bytes | None = None,
        form: Form | None = None,
        repeatable: bool | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """Makes a call and reads its reply.

        :param repeatable: whether making it twice comes to the same as making it once; of a GET it does
        :raises ApiError: unless it succeeds
        """

        def attempt() -> httpx.Response:
            with self._sent(method, path, query, body=body, content=content, form=form, timeout=timeout) as reply:
                reply.read()
                return reply

        return with_retries(attempt, repeatable=method == "GET" if repeatable is None else repeatable)

    @contextmanager
    def stream(
        self, path: str, query: Query | None = None, *, headers: Mapping[str, str] | None = None
    ) -> Iterator[httpx.Response]:
        """Makes a call and leaves the body of its reply unread, for what is too large to be held.

        :raises ApiError: unless it succeeds; also where the body is cut off
        """
        opened = with_retries(lambda: self._open("GET", path, query, headers=headers), repeatable=True)
        try:
            yield opened
        except httpx.TransportError as error:
            raise _unreached(error, "The reply was cut off") from error
        finally:
            opened.close()

    @contextmanager
    def _sent(self, method: str, path: str, query: Query | None, **parts: Any) -> Iterator[httpx.Response]:
        reply = self._open(method, path, query, **parts)
        try:
            yield reply
        except httpx.TransportError as error:
            raise _unreached(error, "The reply was cut off") from error
        finally:
            reply.close()

    def _open(
        self,
        method: str,
        path: str,
        query: Query | None,
        *,
        body: object = None,
        content: bytes | None = None,
        form: Form | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        sent = dict(headers or {})
        token = self._token() if callable(self._token) else self._token
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        if body is not None:
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            sent["content-type"] = "application/json"
        request = self.http.build_request(
            method,
            f"{self.url}{path}",
            params=httpx.QueryParams(_query_texts(query or {})),
            content=content,
            files=None if form is None else list(form.items()),
            headers=sent,
            timeout=self._timeout if timeout is None else timeout,
        )
        try:
            reply = self.http.send(request, stream=True)
        except httpx.TransportError as error:
            raise _unreached(error) from error
        if reply.is_success:
            return reply
        try:
            reply.read()
        except httpx.TransportError as error:
            raise _unreached(error) from error
        raise error_of(reply)


def path_of(*names: str | int) -> str:
    """The path of a call, each name in it quoted: ``/api/dataset/cities``."""
    return "/api/" + "/".join(quote(str(name), safe="@") for name in names)


def with_retries(attempt: Callable[[], httpx.Response], *, repeatable: bool) -> httpx.Response:
    """Makes a call again when that is safe: when it was refused before anything was done, or when it was lost
    and making it twice comes to the same. A view that looks at more and more items is waited for."""
    scanned, failures = 0, 0
    while True:
        try:
            return attempt()
        except ApiError as error:
            is_lost = error.lost or error.status in _LOST_STATUSES
            if failures >= _RETRIES or not (error.code in _REFUSED_UNSEEN or (is_lost and repeatable)):
                raise
            asked = min(error.retry_after or 0.0, _RETRY_AFTER_MAX)
            # A random part, so that clients do not come at once.
            time.sleep(asked + random.random() * min(_BACKOFF[0] * 2**failures, _BACKOFF[1]))
            progress = error.details.get("progress", {}).get("scanned", 0)
            failures = 0 if progress > scanned else failures + 1
            scanned = progress


def _query_texts(query: Query) -> dict[str, str]:
    """Parameters as the server reads them; what is None is left out."""
    texts: dict[str, str] = {}
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, bool):
            texts[name] = "true" if value else "false"
        elif isinstance(value, (str, int)):
            texts[name] = str(value)
        elif isinstance(value, Mapping):
            texts[name] = json.dumps(value, ensure_ascii=False)
        elif isinstance(value, (list, tuple)):
            texts[name] = ",".join(map(str, value))
        else:
            raise TypeError(f"{name} is {type(value).__name__}, which no query takes")
    return texts


def _unreached(error: Exception, what: str = "The server could not be reached") -> ApiError:
    return ApiError(f"{what}: {error}" if str(error) else what, lost=True)
