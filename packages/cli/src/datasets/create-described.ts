import { diffArrays } from 'diff'
import { type Client, ApiError, openReply } from '@vitrine/client'
import { type ParsedDescription, parseDescription } from '@vitrine/client/yaml'
import { type DatasetInfo, type Problem, datasetInfo, problemText } from '@vitrine/contract'
import { stringify } from 'yaml'
import { CommandError } from '../command/command.ts'

/**
 * Creates what a description says, unless it is there already.
 * @param name of the description, to say what is wrong with it
 * @throws CommandError when it is not valid, or there is another dataset of its name
 */
export async function createDescribed(
  client: Client,
  name: string,
  text: string,
): Promise<{ created: boolean; info: DatasetInfo }> {
  const parsed = parseNamed(name, text)
  const call = isView(parsed.value) ? 'viewCreate' : 'repoCreate'
  try {
    const response = await openReply(client, call, { body: parsed.value })
    const info = datasetInfo.parse(await response.json())
    return { created: response.status === 201, info }
  } catch (error) {
    throw error instanceof ApiError ? explained(error, { name, parsed }) : error
  }
}

/** @throws CommandError that says where it is not YAML of a description */
export function parseNamed(name: string, text: string): ParsedDescription & { ok: true } {
  const parsed = parseDescription(text)
  if (!parsed.ok) throw invalid(parsed.problems.map((each) => ({ ...each, name })))
  return parsed
}

export function isView(description: unknown): boolean {
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

/** Says what is wrong with a description, and where. */
export function invalid(
  problems: (Problem & { name: string; line: number; column: number })[],
  cause?: ApiError,
): CommandError {
  const lines = problems.map(
    (problem) => `${problem.name}:${problem.line}:${problem.column}: ${problemText(problem)}`,
  )
  return new CommandError(lines.join('\n'), { cause, exitCode: 6 })
}

function difference(was: string, wanted: string): string[] {
  const lines = (text: string) => text.trimEnd().split('\n')
  return diffArrays(lines(was), lines(wanted)).flatMap(({ added, removed, value }) => {
    const changed = added ? '+' : '-'
    return value.map((line) => `  ${added || removed ? changed : ' '} ${line}`)
  })
}
