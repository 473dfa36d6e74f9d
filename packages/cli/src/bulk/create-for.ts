import { basename } from 'node:path'
import { type Client, ApiError, deleteEmptyRepo } from '@vitrine/client'
import { type Io, ask } from '../command/io.ts'
import { type Invocation, CommandError } from '../command/command.ts'
import { createDescribed } from '../datasets/create-described.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { showTransfer } from '../command/progress.ts'
import { type HowToDescribe, describeFile } from './describe-file.ts'

export const createOptions = {
  create: { type: 'boolean' },
  name: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
} as const

type Created = { repo: string; isNew: boolean; columns: Record<string, string | null> }

/**
 * Creates a repository that a file fits, once whoever is at the terminal has agreed or `--yes` was given; one that
 * is there with the same schema is taken.
 * @returns the repository, whether it is new, and how the file is imported into it
 * @throws CommandError when it is not created
 */
export async function createFor<How extends HowToDescribe>(
  { path, file }: { path: string; file: Blob },
  how: How,
  {
    invocation,
    client,
    isTyped,
  }: { invocation: Invocation<typeof createOptions>; client: Client; isTyped: boolean },
): Promise<Omit<How, 'name'> & Created> {
  const { io, values } = invocation
  const { yaml, ...described } = await untilInterrupted(
    io,
    'Nothing was created.',
    async (signal) => {
      const progress = showTransfer(io, 'reading')
      const onProgress = (bytes: number) => progress.update(bytes, file.size)
      try {
        return await describeFile({ name: basename(path), file }, how, {
          isTyped,
          // Nobody looks at what is found where nobody is asked.
          isDetected: !values.yes,
          signal,
          onProgress,
        })
      } finally {
        progress.stop()
      }
    },
  )
  io.stderr.write(yaml)
  if (!values.yes) {
    const answer = await ask('Create this repository and import the file? [y/N] ', io)
    if (answer === undefined) throw new CommandError('\nNothing was created.', { exitCode: 130 })
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      throw new CommandError(
        'Nothing was created. To change the description, save it, create it with `vitrine create -f`, and import into it.',
      )
    }
  }
  const { created, info } = await createDescribed(client, 'the description', yaml)
  io.console.error(
    created
      ? `Created the repository ${info.name}.`
      : `The repository ${info.name} is there already, with these fields.`,
  )
  const { name: _, ...rest } = how
  return { ...rest, ...described, repo: info.name, isNew: created }
}

/** Deletes a new repository again, as long as it is empty, unless the import may still be going on. */
export async function deleteCreated(
  client: Client,
  repo: string,
  { io, error }: { io: Io; error: unknown },
): Promise<void> {
  if (error instanceof ApiError && error.lost) return
  try {
    if (await deleteEmptyRepo(client, repo)) {
      io.console.error(`The repository ${repo} was empty, and is deleted again.`)
    }
  } catch (cause) {
    io.console.error(`The new repository ${repo} stays: ${(cause as Error).message}`)
  }
}
