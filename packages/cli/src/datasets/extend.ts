import { ApiError, type Client } from '@vitrine/client'
import {
  changeText,
  checkRepoDescription,
  compareRepos,
  type RepoChange,
  type RepoDescription,
} from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { invalid, isView, parseNamed } from './create-described.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { readDescription } from './read-description.ts'

export const extend = defineCommand({
  usage: '-f <file.yaml> [-f <file.yaml> …] [--dry-run] [--json]',
  summary: 'Extend repositories: add optional fields, widen fields, change metadata',
  details:
    'Takes whole descriptions, as they are to be, and shows how each differs from what is there. Items\n' +
    'stay as they are; what they would not conform to is refused. --dry-run changes nothing, and ends as\n' +
    'the command itself would.',
  examples: [
    ['extend -f cats.yaml', 'extend the repository that the file describes'],
    ['extend -f cats.yaml --dry-run', 'show what would change'],
  ],
  positionals: 0,
  options: {
    ...serverOptions,
    file: { type: 'string', short: 'f', multiple: true },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const files = invocation.values.file ?? []
    if (files.length === 0) throw new UsageError('Name a file with -f.')
    const { client, features } = await openClient(invocation)
    if (!features.includes('extend')) {
      throw new CommandError(`${client.options.baseUrl} does not extend repositories.`)
    }
    const { console } = invocation.io
    const isDry = invocation.values['dry-run']
    for (const file of files) {
      const described = await readDescription(file, invocation.io)
      const to = parseRepo(described)
      const changes = compareRepos(await currentOf(client, to.name), to)
      const refused = changes.some(({ reason }) => reason !== undefined)
      if (invocation.values.json && !refused) {
        const info = isDry ? {} : await apply(client, to)
        console.log(JSON.stringify({ extended: !isDry && changes.length > 0, changes, ...info }))
        continue
      }
      if (refused) throw notExtended(to, changes)
      if (!isDry) await apply(client, to)
      const done = isDry ? 'would be extended' : 'is extended'
      console.log(
        changes.length === 0
          ? `The repository ${to.name} is already as described.`
          : [`The repository ${to.name} ${done}:`, ...marked(changes)].join('\n'),
      )
    }
  },
})

function parseRepo({ name, text }: { name: string; text: string }): RepoDescription {
  const parsed = parseNamed(name, text)
  if (isView(parsed.value)) {
    throw new CommandError(
      `${name} describes a view. Views have no items to keep: remove it, and create it anew.`,
      { exitCode: 6 },
    )
  }
  const checked = checkRepoDescription(parsed.value)
  if (checked.ok) return checked.value
  throw invalid(checked.problems.map((problem) => ({ ...parsed.place(problem), name })))
}

/** @throws CommandError where there is no such repository */
async function currentOf(client: Client, name: string): Promise<RepoDescription> {
  try {
    const checked = checkRepoDescription((await client.datasetGet({ datasetId: name })).repo)
    if (checked.ok) return checked.value
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'DATASET_NOT_FOUND') throw error
    throw new CommandError(
      `There is no repository ${name}. \`vitrine create\` makes it from the same file.`,
      { cause: error, exitCode: 4 },
    )
  }
  throw new CommandError(`${name} is a view, and only repositories can be extended.`, {
    exitCode: 4,
  })
}

function apply(client: Client, body: RepoDescription) {
  return client.repoExtend({ datasetId: body.name, body })
}

function notExtended({ name }: RepoDescription, changes: RepoChange[]): CommandError {
  return new CommandError(
    [
      `The repository ${name} cannot be extended so, and nothing was changed (!):`,
      ...marked(changes),
      'Leave those as they are, or create another repository and import into it what this one exports.',
    ].join('\n'),
    { exitCode: 5 },
  )
}

const marked = (changes: readonly RepoChange[]) =>
  changes.map((each) => `  ${each.reason === undefined ? '+' : '!'} ${changeText(each)}`)
