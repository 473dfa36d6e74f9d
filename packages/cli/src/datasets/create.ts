import { defineCommand, UsageError } from '../command/command.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { createDescribed } from './create-described.ts'
import { readDescription } from './read-description.ts'

export const create = defineCommand({
  usage: '-f <file.yaml> [-f <file.yaml> …] [--json]',
  summary: 'Create repositories and views from their descriptions',
  details:
    'A description with `base` is of a view, any other of a repository. The same description again\n' +
    'changes nothing. A different one under the same name is an error, which shows how the two differ.',
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
  run: async (invocation) => {
    const files = invocation.values.file ?? []
    if (files.length === 0) throw new UsageError('Name a file with -f.')
    const { client } = await openClient(invocation)
    const { console } = invocation.io
    for (const file of files) {
      const { name, text } = await readDescription(file, invocation.io)
      const { created, info } = await createDescribed(client, name, text)
      if (invocation.values.json) {
        console.log(JSON.stringify({ created, ...info }))
      } else {
        const kind = info.view === undefined ? 'repository' : 'view'
        console.log(
          created
            ? `Created the ${kind} ${info.name}.`
            : `The ${kind} ${info.name} is there already.`,
        )
      }
    }
  },
})
