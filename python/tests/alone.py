"""What the package does with nothing but its own dependency: run by `npm run test:python` in an environment that has
only its wheel."""

import importlib.util

import vitrine

assert importlib.util.find_spec("pyarrow") is None, "pyarrow is here, so this shows nothing"

with vitrine.connect() as server:
    words = server.create({"name": "alone", "schema": [{"name": "word", "type": "string"}]})
    words.add(word="ja")
    assert [item["word"] for item in server.dataset("alone")] == ["ja"]
    assert words.verify().entries == 1
    try:
        words.to_arrow()
    except vitrine.MissingLibraryError as error:
        assert str(error) == "This needs pyarrow: pip install 'vitrine[arrow]'", error
    else:
        raise AssertionError("a table without pyarrow")
    server.delete("alone")
print(f"vitrine {vitrine.__version__} works with httpx alone")
