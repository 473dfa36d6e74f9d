import { exportFileName } from './export-kinds.ts'

/** Ways to load a dataset in Python, each by what reads the file. */
const readers = {
  pandas: (file: string) => `import pandas as pd

items = pd.read_parquet(${file})`,
  Polars: (file: string) => `import polars as pl

items = pl.read_parquet(${file})`,
  DuckDB: (file: string) => `import duckdb

items = duckdb.read_parquet(${file})`,
  'Hugging Face datasets': (file: string) => `from datasets import load_dataset

items = load_dataset("parquet", data_files=${file}, split="train")`,
}

export type Tool = keyof typeof readers
export const tools = Object.keys(readers) as Tool[]

/**
 * A program that downloads a dataset and loads it. None of these tools sends a token and reads a stream
 * without ranges by itself, so the download stands in the open.
 */
export function snippetFor(
  tool: Tool,
  { apiUrl, datasetId }: { apiUrl: string; datasetId: string },
): string {
  const url = `${apiUrl}/api/dataset/${encodeURIComponent(datasetId)}/export?format=parquet`
  // What JSON writes of an ASCII text is what Python reads.
  const file = JSON.stringify(exportFileName(datasetId, 'parquet'))
  return `# Run it as: VITRINE_TOKEN=$(vitrine token) python load.py
import os
import shutil
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers={"Authorization": "Bearer " + os.environ["VITRINE_TOKEN"]},
)
with urllib.request.urlopen(request) as reply, open(${file}, "wb") as file:
    shutil.copyfileobj(reply, file)

${readers[tool](file)}
`
}
