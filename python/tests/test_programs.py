"""The notebook from beginning to end, and the programs of the document as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest

import vitrine

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "python/examples").glob("*.ipynb"))
# A program that says so needs more than these tests have: tools/check-interchange.ts runs it.
PROGRAM = re.compile(r"^```python(?! interchange)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PROGRAMS = PROGRAM.findall((ROOT / "docs/python.md").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_run_from_beginning_to_end(notebook: Path, server: vitrine.Server) -> None:
    assert server.url == os.environ["VITRINE_SERVER"]
    read = nbformat.read(notebook, as_version=4)
    client = nbclient.NotebookClient(read, timeout=600, resources={"metadata": {"path": str(notebook.parent)}})
    client.execute()
    assert all(cell.execution_count for cell in read.cells if cell.cell_type == "code")


def test_programs_of_the_document_run_one_after_the_other(server: vitrine.Server, tmp_path: Path) -> None:
    assert server.url == os.environ["VITRINE_SERVER"]
    assert len(PROGRAMS) > 3
    for number, program in enumerate(PROGRAMS):
        file = tmp_path / f"program_{number}.py"
        file.write_text(program, encoding="utf-8")
        done = subprocess.run([sys.executable, file], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{program}\n{done.stderr}"
