"""Vitrine in Python: datasets as frames, frames as datasets, and proof that they are what was added."""

from importlib.metadata import version

from vitrine.dataset import Dataset
from vitrine.diff import Diff, ItemChange
from vitrine.errors import (
    ApiError,
    MissingLibraryError,
    Refusal,
    RowsRefusedError,
    VerificationError,
    VitrineError,
)
from vitrine.field import Field
from vitrine.item import File, Item, Version
from vitrine.push import Change, Pushed
from vitrine.server import Server, connect
from vitrine.verification import Damage, Verification

__version__ = version("vitrine")

__all__ = [
    "ApiError",
    "Change",
    "Damage",
    "Dataset",
    "Diff",
    "Field",
    "File",
    "Item",
    "ItemChange",
    "MissingLibraryError",
    "Pushed",
    "Refusal",
    "RowsRefusedError",
    "Server",
    "Verification",
    "VerificationError",
    "Version",
    "VitrineError",
    "connect",
]
