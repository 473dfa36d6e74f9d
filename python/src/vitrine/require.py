"""Libraries that some of this package uses, and that need not be installed for the rest."""

from __future__ import annotations

import importlib
from typing import Any

from vitrine.errors import MissingLibraryError

#: The extra of this package that installs a library, by the name under which it is imported.
_EXTRAS = {
    "pyarrow": "arrow",
    "pandas": "pandas",
    "polars": "polars",
    "duckdb": "duckdb",
    "datasets": "huggingface",
}


def require(module: str) -> Any:
    """Imports a module, or raises a sentence on how to install it."""
    library = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"This needs {library}: pip install 'vitrine[{_EXTRAS[library]}]'"
        raise MissingLibraryError(message, name=library) from error
