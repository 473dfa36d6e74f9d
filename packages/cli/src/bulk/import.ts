import { hash } from 'node:crypto'
import { extname } from 'node:path'
import {
  type Client,
  type ImportOptions,
  type ImportSource,
  importFile,
  sha256,
} from '@vitrine/client'
import { type ImportFormat, type ImportState, importedRows, importFormats } from '@vitrine/contract'
import { datasetNamePattern, datasetNameReason } from '@vitrine/contract/repo/names'
import { formatOfName } from '@vitrine/rows/file-format'
import { defineCommand, type Invocation, CommandError, UsageError } from '../command/command.ts'
import { counted } from '../command/table.ts'
import type { Io } from '../command/io.ts'
import { openFile } from '../command/files.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { showTransfer } from '../command/progress.ts'
import { createFor, createOptions, deleteCreated } from './create-for.ts'
import { confirmShown, matchingOf, matchingOptions } from './matching.ts'
import { explained, saveReport } from './refusals.ts'
import { textReadingOf, textReadingOptions } from './text-reading.ts'

const importOptions = {
  ...serverOptions,
  ...createOptions,
  format: { type: 'string' },
  skip: { type: 'boolean' },
  columns: { type: 'string' },
  guard: { type: 'boolean' },
  ...textReadingOptions,
  ...matchingOptions,
  report: { type: 'string' },
  key: { type: 'string' },
  as: { type: 'string', multiple: true },
  prefix: { type: 'string' },
  verifier: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const importCommand = defineCommand({
  usage:
    '<repository> <file>|- [--format <format>] [--skip] [--columns <json>] [--guard]\n' +
    '                      [--delimiter <character>] [--quote <character>|none] [--escape <character>]\n' +
    '                      [--null <text>] [--header none] [--comment <prefix>] [--skip-lines <number>]\n' +
    '                      [--encoding <name>] [--sheet <name>] [--report <file>] [--key <key>] [--json]\n' +
    '                      [--match <fields>|id|id.replaces --reason <text>] [--dry-run|--yes]\n' +
    '       vitrine import <file> --create [--name <repository>] [--yes] [the options above]\n' +
    '       vitrine import <bundle>.zip [--as <old>=<new> …] [--prefix <text>]\n' +
    '                      [--verifier <key>] [--json]',
  summary: 'Import a file of rows into a repository, all of it or nothing',
  details:
    `--format takes ${importFormats.join(', ')}; without it the file name decides.\n` +
    'After a dropped connection the import goes on by itself; after an interruption give the same command\n' +
    'again. The same file again changes nothing, unless it has another --key.\n' +
    'With - the rows are read from standard input. Whatever arrives before it ends is the whole file, even\n' +
    'if the program that writes it failed. Give it a --key to go on after an interruption.\n' +
    '--skip imports the rows that conform, even if others do not. docs/import-export.md has the rest.\n' +
    '--quote none reads CSV and TSV in which quotes mean nothing; lines that begin with --comment are no rows, and\n' +
    '--skip-lines stand before the line of names. --escape is what makes the quote after it text, often \\.\n' +
    '--null is the cell that has no value, such as NA or \\N. With --header none the first line is a row, and the\n' +
    'columns are called column_1, column_2 and so on.\n' +
    '--encoding names that of the text where it is not UTF-8, such as windows-1252 or utf-16le.\n' +
    '--sheet names that of a workbook (.xlsx) which is not the first; --skip-lines then counts its rows.\n' +
    '--match corrects: a row replaces the item whose fields, parted by commas, or whose id have the same values,\n' +
    'if another value differs; a row that no item is like is added. What the file has no column for stays. By\n' +
    'id.replaces rows say themselves what they replace or withdraw. What it is to change is shown, and done once that\n' +
    'is agreed to, or at once with --yes. --dry-run shows that of any file.\n' +
    '--create makes the repository from the file: the columns are its fields, and the file or --name gives\n' +
    'its name. It shows the description and asks before creating it, unless --yes is given.\n' +
    'A bundle (docs/bundles.md) is verified, and then all of its datasets are made, under the names that they had\n' +
    'or by --as and --prefix others; where a name is taken nothing is done. --verifier is the key that has to have\n' +
    'signed it; otherwise it is its own, which is shown.',
  examples: [
    ['import cities cities.csv', 'every row, or none if one does not conform'],
    ['import cities atlas.xlsx --sheet Cities', 'a sheet of a workbook'],
    [
      'import cities cities.csv --skip --report refused.csv',
      'the good ones, and a file of why others were refused',
    ],
    ['import cities.csv --create', 'a repository from the file, and its rows'],
    ['import cats.bundle.zip --prefix theirs-', 'all datasets of a bundle, by other names'],
    ['import cities - --format csv < cities.csv', 'rows of another program'],
    ['import cities c.csv --match code --reason "the register"', 'correct the cities that differ'],
    [
      `import cities c.csv --columns '{"Name":"name","Remarks":null}'`,
      'say which field each column is for',
    ],
  ],
  positionals: { from: 1, to: 2 },
  options: importOptions,
  run: async (invocation) => {
    if (invocation.positionals.length === 1 && !invocation.values.create) {
      return importBundleOf(invocation)
    }
    const { named, path } = operandsOf(invocation)
    const { values } = invocation
    const matching = matchingOf(invocation)
    const described = {
      format: formatOf(values.format, path),
      mode: values.skip ? ('skip' as const) : ('all' as const),
      guard: values.guard ?? false,
      columns: columnsOf(values.columns),
      ...textReadingOf(values),
      ...matching,
    }
    const { client, features } = await openClient(invocation)
    if (!features.includes('import')) {
      throw new CommandError(`${client.options.baseUrl} does not take imports.`)
    }
    if (matching.confirm !== undefined && !features.includes('import-match')) {
      throw new CommandError(`${client.options.baseUrl} does not match rows with items.`)
    }
    const saysItself = matching.match?.includes('id.replaces') === true
    if (saysItself && !features.includes('import-corrections')) {
      throw new CommandError(`${client.options.baseUrl} takes no rows that say what they correct.`)
    }
    const source = path === '-' ? invocation.io.stdin : await openFile(path, '')
    const { repo, isNew, ...options } =
      values.create && source instanceof Blob
        ? await createFor(
            { path, file: source },
            { ...described, name: named },
            { invocation, client, isTyped: features.includes('types') },
          )
        : { ...described, repo: named ?? '', isNew: false }
    const canGoOn = source instanceof Blob || values.key !== undefined
    const goOn = `Nothing was added yet.${canGoOn ? ' Give the same command again to go on from here.' : ''}`
    const { state, already } = await untilInterrupted(invocation.io, goOn, async (signal) => {
      try {
        const key =
          values.key ?? (await keyOf(source, { ...options, repo }, { io: invocation.io, signal }))
        const imported = await importShowing(client, invocation.io, {
          repo,
          source,
          options: { ...options, key, signal },
        })
        return imported.state.state === 'checked'
          ? await confirmShown(client, invocation, { repo, state: imported.state, signal })
          : imported
      } catch (error) {
        const failure = await explained(client, repo, error, values.report)
        if (isNew && !signal.aborted)
          await deleteCreated(client, repo, { io: invocation.io, error })
        throw failure
      }
    })
    if (state.refusedRows > 0 && values.report !== undefined) {
      await saveReport(client, { repo, importKey: state.key, file: values.report })
    }
    for (const note of state.notes ?? []) invocation.io.console.error(note)
    if (state.state === 'cancelled') {
      invocation.io.console.log(values.json ? JSON.stringify(state) : 'Nothing was changed.')
      return
    }
    invocation.io.console.log(values.json ? JSON.stringify(state) : sentence(repo, state, already))
  },
})

/** Imports a bundle, the only file that needs no repository. */
async function importBundleOf(invocation: Invocation<typeof importOptions>): Promise<void> {
  const { positionals, values, io } = invocation
  const [file = ''] = positionals
  if (extname(file).toLowerCase() !== '.zip') throw new UsageError('Missing <file>.')
  const { openZipArchive } = await import('./zip-archive.ts')
  const archive = await openZipArchive(file)
  try {
    if (!archive.has('bundle.json')) {
      throw new UsageError(`${file} is no bundle: name the repository to import it into.`)
    }
    const { client, features } = await openClient(invocation)
    if (!features.includes('import')) {
      throw new CommandError(`${client.options.baseUrl} does not take imports.`)
    }
    const { importBundleFile } = await import('./import-bundle-file.ts')
    await importBundleFile(
      client,
      { file, archive },
      {
        io,
        as: values.as ?? [],
        prefix: values.prefix ?? '',
        key: values.verifier,
        features,
        json: values.json ?? false,
      },
    )
  } finally {
    archive.close()
  }
}

/** The repository that is named, if any, and the path of the file. */
function operandsOf({ positionals, values, io }: Invocation<typeof importOptions>): {
  named: string | undefined
  path: string
} {
  const [first = '', second] = positionals
  const { name } = values
  if (!values.create) {
    if (name !== undefined) throw new UsageError('--name is for --create.')
    if (values.yes && values.match === undefined) {
      throw new UsageError('--yes is for --create and --match.')
    }
    if (second === undefined) throw new UsageError('Missing <file>.')
    return { named: first, path: second }
  }
  if (second !== undefined) {
    throw new UsageError('With --create name the file alone; --name is for the repository.')
  }
  if (first === '-') throw new UsageError('--create reads the file twice: save it, and name it.')
  if (values.columns !== undefined) {
    throw new UsageError('--create names the columns by itself: leave out --columns.')
  }
  if (name !== undefined && !datasetNamePattern.test(name)) {
    throw new UsageError(`The name of a repository ${datasetNameReason}.`)
  }
  if (!values.yes && io.stdin.isTTY !== true) {
    throw new UsageError('There is no terminal to ask on: give --yes to create the repository.')
  }
  return { named: name, path: first }
}

function formatOf(named: string | undefined, path: string): ImportFormat {
  const format = formatOfName(named === undefined ? path : `.${named}`)
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

/** Makes a key of the bytes and options of an import; of a stream the bytes are unknown. */
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
      onProgress: (state) => {
        replies += 1
        progress.note(stageOf(state))
        progress.update(state.receivedBytes, size)
      },
    })
    // The first reply is to the question how far it is.
    return { state, already: replies === 1 }
  } finally {
    progress.stop()
  }
}

function stageOf(state: ImportState): string {
  const { rows, refusedRows, publishedRows } = state
  const refused = refusedRows === 0 ? '' : `, ${refusedRows.toLocaleString('en')} refused`
  switch (state.state) {
    case 'receiving':
      return ''
    case 'checking':
    case 'checked':
      return `checked ${counted(rows, 'row')}${refused}`
    default:
      return `added ${publishedRows.toLocaleString('en')} of ${counted(importedRows(state), 'row')}${refused}`
  }
}

function sentence(repo: string, state: ImportState, already: boolean): string {
  const { refusedRows, createdAt, changedRows, unchangedRows } = state
  if (already) {
    return `This file was imported into ${repo} on ${createdAt.slice(0, 10)} already: nothing was added. To import it again, give it a --key of its own.`
  }
  const refused = refusedRows === 0 ? '' : ` Refused: ${counted(refusedRows, 'row')}.`
  const total = importedRows(state)
  if (changedRows === undefined) return `Added ${counted(total, 'item')} to ${repo}.${refused}`
  const corrected = `Corrected ${counted(changedRows, 'item')} of ${repo}, and added ${total - changedRows}`
  return `${corrected}; ${counted(unchangedRows ?? 0, 'row')} changed nothing.`
}
