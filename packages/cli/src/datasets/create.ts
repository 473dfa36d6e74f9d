import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { diff } from 'node:util'
import { ApiError, type Client, openReply } from '@vitrine/client'
import { type ParsedDescription, parseDescription } from '@vitrine/client/yaml'
import { datasetInfo, problemText, type DatasetInfo, type Problem } from '@vitrine/contract'
import { stringify } from 'yaml'
import { type Command, CommandError, UsageError } from '../command.ts'
import { unreadable } from '../open-file.ts'
import type { Io } from '../io.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'

export const create: Command = {
  usage: '-f <file.yaml> [-f <file.yaml> …] [--json]',
  summary: 'Create repositories and views from their descriptions',
  details:
    'A description with `base` is of a view, any other of a repository. The same one again changes\n' +
    'nothing and is no error; another one under the same name is one, and shows how the two differ.',
  examples: [
    ['create -f cats.yaml', 'create what the file describes'],
    ['create -f people.yaml -f cats.yaml', 'several, one after the other'],
    ['create -f -', 'read the description from standard input'],
  ],
  positionals: 0,
  options: {
    ...serverOptions,
    file: { type: 'string', short: 'f', multiple: true },
    json: { type: 'boolean' },
  },
  run: async (given) => {
    const files = (given.values['file'] ?? []) as string[]
    if (files.length === 0) throw new UsageError('Name a file with -f.')
    const { client } = await openClient(given)
    const { console } = given.io
    for (const file of files) {
      const { created, info } = await createFrom(client, given.io, file)
      if (given.values['json'] === true) {
        console.log(JSON.stringify({ created, ...info }))
      } else {
        const kind = info.view === undefined ? 'repository' : 'view'
        const { name } = info
        console.log(
          created ? `Created the ${kind} ${name}.` : `The ${kind} ${name} is there already.`,
        )
      }
    }
  },
}

async function createFrom(
  client: Client,
  io: Io,
  file: string,
): Promise<{ created: boolean; info: DatasetInfo }> {
  const name = file === '-' ? 'standard input' : file
  const text = await read(file, io)
  const parsed = parseDescription(text)
  if (!parsed.ok) throw invalid(parsed.problems.map((each) => ({ ...each, name })))
  const call = isView(parsed.value) ? 'viewCreate' : 'repoCreate'
  try {
    const response = await openReply(client, call, { body: parsed.value })
    const info = datasetInfo.parse(await response.json())
    return { created: response.status === 201, info }
  } catch (error) {
    throw error instanceof ApiError ? explained(error, { name, parsed }) : error
  }
}

async function read(file: string, { stdin }: Io): Promise<string> {
  try {
    return file === '-' ? await readText(stdin) : await readFile(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

function isView(description: unknown): boolean {
  return Object.hasOwn(Object(description), 'base')
}

function explained(
  error: ApiError,
  { name, parsed }: { name: string; parsed: ParsedDescription & { ok: true } },
): Error {
  const problems = error.body?.details?.problems ?? []
  if (error.status === 400 && problems.length > 0) {
    return invalid(
      problems.map((problem) => ({ ...parsed.place(problem), name })),
      error,
    )
  }
  const existing = datasetInfo.safeParse(error.body)
  if (error.status !== 409 || !existing.success) return error
  const { data } = existing
  const was = stringify(data.view ?? data.repo ?? { name: data.name, schema: data.schema })
  return new CommandError(
    [
      `There is another ${data.view === undefined ? 'repository' : 'view'} ${data.name} already.`,
      'What it is (-), and what it would be (+):',
      ...difference(was, stringify(parsed.value)),
      'Give yours another name, or remove that one first.',
    ].join('\n'),
    { cause: error, exitCode: 5 },
  )
}

function invalid(
  problems: (Problem & { name: string; line: number; column: number })[],
  cause?: ApiError,
): CommandError {
  const lines = problems.map(
    (problem) => `${problem.name}:${problem.line}:${problem.column}: ${problemText(problem)}`,
  )
  return new CommandError(lines.join('\n'), { cause, exitCode: 6 })
}

const marks = { [-1]: '+', 0: ' ', 1: '-' } as const

function difference(was: string, wanted: string): string[] {
  const lines = (text: string) => text.trimEnd().split('\n')
  return diff(lines(was), lines(wanted)).map(([side, line]) => `  ${marks[side]} ${line}`)
}
