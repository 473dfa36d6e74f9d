import { extname } from 'node:path'
import { hash } from 'node:crypto'
import { ApiError, type Client, importFile, sha256, SourceError } from '@vitrine/client'
import type { ImportOptions, ImportSource } from '@vitrine/client'
import { importFormats, type ImportFormat, type ImportState } from '@vitrine/contract'
import { type Command, CommandError, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import type { Io } from '../io.ts'
import { openFile } from '../open-file.ts'
import { untilInterrupted } from '../interruption.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { showTransfer } from '../transfer-progress.ts'
import { refusalsOf, saveReport } from './refusals.ts'

export const importCommand: Command = {
  usage:
    '<repository> <file>|- [--format <format>] [--skip] [--columns <json>] [--guard]\n' +
    '                      [--delimiter <character>] [--quote <character>] [--report <file>]\n' +
    '                      [--key <key>] [--json]',
  summary: 'Import a file of rows into a repository, all of it or nothing',
  details:
    `Formats are ${importFormats.join(', ')}; otherwise the name of the file says which. After a dropped\n` +
    'connection it goes on by itself, and after an interruption when the same command is given again.\n' +
    'The same file once more changes nothing, unless another --key says that it is meant.\n' +
    'With - the rows come through standard input: as much as comes is the file, whoever ended it, and it\n' +
    'is gone on with after an interruption if it has a --key and begins the same.\n' +
    '--skip imports the rows that conform although others do not. docs/import-export.md has the rest.',
  examples: [
    ['import cities cities.csv', 'every row, or none if one does not conform'],
    [
      'import cities cities.csv --skip --report refused.csv',
      'the good ones; why others were refused',
    ],
    ['import cities - --format csv < cities.csv', 'rows of another program'],
    [
      `import cities c.csv --columns '{"Name":"name","Remarks":null}'`,
      'name columns as fields are',
    ],
  ],
  positionals: 2,
  options: {
    ...serverOptions,
    format: { type: 'string' },
    skip: { type: 'boolean' },
    columns: { type: 'string' },
    guard: { type: 'boolean' },
    delimiter: { type: 'string' },
    quote: { type: 'string' },
    report: { type: 'string' },
    key: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (given) => {
    const [repo = '', path = ''] = given.positionals
    const values = given.values as Record<string, string | undefined>
    const options = {
      format: formatOf(values['format'], path),
      mode: given.values['skip'] === true ? ('skip' as const) : ('all' as const),
      guard: given.values['guard'] === true,
      columns: columnsOf(values['columns']),
      delimiter: values['delimiter'],
      quote: values['quote'],
    }
    const { client, features } = await openClient(given)
    if (!features.includes('import')) {
      throw new CommandError(`${client.options.baseUrl} does not take imports.`)
    }
    const source = path === '-' ? given.io.stdin : await openFile(path, '')
    const canGoOn = source instanceof Blob || values['key'] !== undefined
    const goOn = `Nothing was added yet.${canGoOn ? ' Give the same command again to go on from here.' : ''}`
    const { state, already } = await untilInterrupted(given.io, goOn, async (signal) => {
      const key =
        values['key'] ?? (await keyOf(source, { ...options, repo }, { io: given.io, signal }))
      try {
        return await importShowing(client, given.io, {
          repo,
          source,
          options: { ...options, key, signal },
        })
      } catch (error) {
        if (error instanceof SourceError) throw unreadable(error)
        throw error instanceof ApiError
          ? await explained(client, repo, error, values['report'])
          : error
      }
    })
    if (state.refusedRows > 0 && values['report'] !== undefined) {
      await saveReport(client, { repo, importKey: state.key, file: values['report'] })
    }
    given.io.console.log(
      given.values['json'] === true ? JSON.stringify(state) : sentence(repo, state, already),
    )
  },
}

const extensions: Record<string, ImportFormat> = { '.jsonl': 'ndjson' }
for (const format of importFormats) extensions[`.${format}`] = format

function formatOf(named: string | undefined, path: string): ImportFormat {
  const name = path.toLowerCase().replace(/\.gz$/, '')
  const format = extensions[named === undefined ? extname(name) : `.${named}`]
  if (format !== undefined) return format
  throw new UsageError(`Say which of ${importFormats.join(', ')} it is with --format.`)
}

function columnsOf(text: string | undefined): ImportOptions['columns'] {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as ImportOptions['columns']
  } catch (cause) {
    throw new UsageError('--columns takes JSON, such as {"Name":"name","Remarks":null}.', { cause })
  }
}

/** The same bytes imported in the same way are the same import; of a stream nobody knows its bytes. */
async function keyOf(
  file: ImportSource,
  how: object,
  { io, signal }: { io: Io; signal: AbortSignal },
): Promise<string | undefined> {
  if (!(file instanceof Blob)) return undefined
  const progress = showTransfer(io, 'reading')
  try {
    const digest = await sha256(file, {
      signal,
      onProgress: (bytes) => progress.update(bytes, file.size),
    })
    return hash('sha256', JSON.stringify([digest, how]))
  } finally {
    progress.stop()
  }
}

async function importShowing(
  client: Client,
  io: Io,
  { repo, source, options }: { repo: string; source: ImportSource; options: ImportOptions },
): Promise<{ state: ImportState; already: boolean }> {
  const progress = showTransfer(io, repo)
  let replies = 0
  try {
    const size = source instanceof Blob ? source.size : undefined
    const state = await importFile(client, repo, source, {
      ...options,
      onProgress: (told) => {
        replies += 1
        progress.note(stageOf(told))
        progress.update(told.receivedBytes, size)
      },
    })
    // The first reply is to the question how far it is.
    return { state, already: replies === 1 }
  } finally {
    progress.stop()
  }
}

function stageOf({ state, rows, refusedRows, publishedRows }: ImportState): string {
  const refused = refusedRows === 0 ? '' : `, ${refusedRows.toLocaleString('en')} refused`
  switch (state) {
    case 'receiving':
      return ''
    case 'checking':
      return `checked ${counted(rows, 'row')}${refused}`
    default:
      return `added ${publishedRows.toLocaleString('en')} of ${counted(rows - refusedRows, 'row')}${refused}`
  }
}

function sentence(repo: string, state: ImportState, already: boolean): string {
  const { rows, refusedRows, createdAt } = state
  if (already) {
    return `This file was imported into ${repo} on ${createdAt.slice(0, 10)} already: nothing was added. To import it once more, say --key with a name for that.`
  }
  const refused = refusedRows === 0 ? '' : ` Refused: ${counted(refusedRows, 'row')}.`
  return `Added ${counted(rows - refusedRows, 'item')} to ${repo}.${refused}`
}

function unreadable(cause: SourceError): CommandError {
  return new CommandError(`${cause.message}.`, { cause, exitCode: 6 })
}

async function explained(
  client: Client,
  repo: string,
  error: ApiError,
  report: string | undefined,
): Promise<Error> {
  const { importKey } = error.body?.details ?? {}
  if (error.code !== 'IMPORT_REFUSED' || importKey === undefined) return error
  if (report !== undefined) await saveReport(client, { repo, importKey, file: report })
  const lines = await refusalsOf(client, { repo, importKey })
  const { refusedRows } = error.body?.details ?? {}
  return new CommandError(
    [
      `Nothing was added: ${counted(refusedRows ?? lines.length, 'row')} of the file did not conform to the schema of ${repo}.`,
      ...lines,
      report === undefined
        ? 'Correct them, or import the others with --skip; --report <file> keeps all reasons.'
        : `Correct them, or import the others with --skip. All reasons are in ${report}.`,
    ].join('\n'),
    { cause: error, exitCode: 6 },
  )
}
