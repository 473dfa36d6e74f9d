import { queryText, type Exploration } from '@vitrine/contract'
import { explorationSearch } from '../paths.ts'
import { namedState } from '../data/named-state.ts'
import { exportFileName } from './export-kinds.ts'

/** Ways to load a dataset in Python, each by what reads the file. */
const pythonReaders = {
  pandas: (file: string) => `import pandas as pd

items = pd.read_parquet(${file})`,
  Polars: (file: string) => `import polars as pl

items = pl.read_parquet(${file})`,
  DuckDB: (file: string) => `import duckdb

items = duckdb.read_parquet(${file})`,
  'Hugging Face datasets': (file: string) => `from datasets import load_dataset

items = load_dataset("parquet", data_files=${file}, split="train")`,
}

type PythonTool = keyof typeof pythonReaders
export const pythonTools = Object.keys(pythonReaders) as PythonTool[]

export type Tool = PythonTool | 'Command line'
export const tools: Tool[] = [...pythonTools, 'Command line']

type Source = {
  apiUrl: string
  datasetId: string
  exploration: Exploration
  /** Address of the page of personal access tokens, where the server has them. */
  tokensUrl?: string | undefined
}

/** A program that loads a dataset, or what is asked of it. */
export function snippetFor(tool: Tool, source: Source): string {
  return tool === 'Command line' ? shellProgram(source) : pythonProgram(tool, source)
}

/** Words of a shell; what is asked stands behind the names of its options. */
function shellProgram({ apiUrl, datasetId, exploration }: Source): string {
  const file = shellWord(exportFileName(datasetId, exploration, 'parquet'))
  const { where, order, q, current } = exploration
  const options = Object.entries({ where, order, find: q }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name}=${shellWord(queryText(value))}`],
  )
  if (current === true) options.push(' --current')
  return `vitrine login --server ${shellWord(apiUrl)}
vitrine export ${shellWord(datasetId)}${options.join('')} --output ${file}
`
}

function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * A program that downloads a dataset and loads it. None of these tools sends a token and reads a stream
 * without ranges by itself, so the download stands in the open.
 */
function pythonProgram(
  tool: PythonTool,
  { apiUrl, datasetId, exploration, tokensUrl }: Source,
): string {
  const { datasetId: name, at } = namedState(datasetId)
  const query = new URLSearchParams([['format', 'parquet'], ...explorationSearch(exploration)])
  if (at !== undefined) query.set('at', String(at))
  const url = `${apiUrl}/api/dataset/${encodeURIComponent(name)}/export?${query}`
  // What JSON writes of an ASCII text is what Python reads.
  const file = JSON.stringify(exportFileName(datasetId, exploration, 'parquet'))
  const token =
    tokensUrl === undefined
      ? 'Run it as: VITRINE_TOKEN=$(vitrine token) python load.py'
      : `VITRINE_TOKEN is an access token, which one creates at ${tokensUrl}`
  return `# ${token}
import os
import shutil
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers={"Authorization": "Bearer " + os.environ["VITRINE_TOKEN"]},
)
with urllib.request.urlopen(request) as reply, open(${file}, "wb") as file:
    shutil.copyfileobj(reply, file)

${pythonReaders[tool](file)}
`
}
