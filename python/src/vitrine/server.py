"""A server, and what it has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from types import TracebackType
from typing import TYPE_CHECKING, Any

from vitrine.connection import Connection, Token, path_of
from vitrine.dataset import Dataset
from vitrine.errors import ApiError, VitrineError

if TYPE_CHECKING:
    from vitrine.push import Pushed

_PAGE_SIZE = 1000
_STATE = re.compile(r"([^@]+)@(0|[1-9][0-9]{0,15})")


def connect(url: str | None = None, token: Token | None = None, *, timeout: float = 60.0) -> Server:
    """Connects to a server.

    :param url: such as ``https://data.example.org``; else what ``VITRINE_SERVER`` says, or one on this computer
    :param token: a personal access token, or what gives a token whenever it is asked; else what ``VITRINE_TOKEN`` says
    :param timeout: seconds without a byte after which a connection is given up
    :raises VitrineError: where no server answers
    """
    address = url or os.environ.get("VITRINE_SERVER") or "http://localhost:8080"
    return Server(address, token or os.environ.get("VITRINE_TOKEN"), timeout=timeout)


class Server:
    """A server; it is also a context manager that closes its connections."""

    def __init__(self, url: str, token: Token | None, *, timeout: float = 60.0) -> None:
        try:
            with closing(Connection(url, None, timeout=timeout)) as connection:
                config = connection.get("/config.json")
            base, features = str(config["apiBaseUrl"]), config.get("features", [])
        except (ApiError, ValueError, KeyError, TypeError) as error:
            raise VitrineError(f"No Vitrine answers at {url}: {error}") from error
        #: What it does beyond the sixteen calls of every server.
        self.features: frozenset[str] = frozenset(features)
        self.connection = Connection(base, token, timeout=timeout)

    @property
    def url(self) -> str:
        return self.connection.url

    def dataset(self, reference: str) -> Dataset:
        """A repository or a view by its name, or as ``cities@1200`` in the state with so many items.

        :raises ApiError: ``DATASET_NOT_FOUND``
        """
        found = _STATE.fullmatch(reference)
        name, at = (reference, None) if found is None else (found[1], int(found[2]))
        if at is not None:
            self.require_feature("states", "read a dataset as it was")
        return Dataset(self.connection, name, at, self.connection.get(path_of("dataset", name), {"at": at}))

    def datasets(self) -> Iterator[str]:
        """The names of all datasets, the newest first."""
        for page in range(2**40):
            entries = self.connection.get("/api/dataset", {"page": page, "pageSize": _PAGE_SIZE})
            yield from (entry["name"] for entry in entries)
            if len(entries) < _PAGE_SIZE:
                return

    def create(self, description: Mapping[str, Any]) -> Dataset:
        """Creates a repository, or a view where the description names a base; the same description again changes
        nothing.

        :raises ApiError: ``REPO_NAME_TAKEN``, ``VIEW_NAME_TAKEN``, ``REQUEST_INVALID``
        """
        kind = "view" if "base" in description else "repo"
        info = self.connection.request("POST", path_of(kind), body=description, repeatable=True).json()
        return Dataset(self.connection, info["name"], None, info)

    def delete(self, name: str) -> None:
        """Deletes a repository with its items, or a view.

        :raises ApiError: ``DATASET_NOT_FOUND``, ``DATASET_REFERENCED``
        """
        kind = "view" if self.dataset(name).is_view else "repo"
        self.connection.request("DELETE", path_of(kind, name))

    def push(
        self,
        frame: Any,
        name: str,
        *,
        fields: Mapping[str, Mapping[str, Any]] | None = None,
        key: str | None = None,
        skip_refused: bool = False,
        **metadata: str,
    ) -> Pushed:
        """Adds the rows of a frame to a repository, which is created where there is none of that name.

        The frame is of pandas, Polars, Arrow, DuckDB or Hugging Face, or a list of dictionaries. All of its rows are
        added, or none. The same frame again changes nothing, and goes on where it was interrupted, for its rows are
        their own key; with another ``key`` they are added once more.

        :param fields: what a new repository is to say of some fields, as ``{"country": {"type": "reference",
            "target": "countries"}}``; the others follow from the types of the columns (docs/python.md)
        :param skip_refused: whether rows that do not conform are left out, rather than refusing all
        :param metadata: of a new repository: ``description``, ``license``, ``source``, ``readme``, ``label``, ``cover``
        :raises RowsRefusedError: where rows do not conform; nothing is added
        """
        from vitrine.push import create_and_push

        return create_and_push(
            self, frame, name, fields=fields or {}, key=key, skip_refused=skip_refused, metadata=metadata
        )

    def require_feature(self, feature: str, what: str) -> None:
        if feature not in self.features:
            raise VitrineError(f"The server at {self.url} cannot {what}: it is older than this package")

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Server {self.url}>"
