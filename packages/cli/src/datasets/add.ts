import { addItem } from '@vitrine/client'
import { defineCommand } from '../command/command.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { showTransfer } from '../command/progress.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { readValues } from './values.ts'

export const add = defineCommand({
  usage: '<repository> <field>=<value> [<field>=@<file> …] [--json]',
  summary: 'Add one item to a repository',
  details:
    'A value that begins with @ is the content of a file; @@ stands for an @ that the value begins with.\n' +
    'Its media type is that of the field, or what the bytes say, unless ;type=… follows the file.\n' +
    'The server checks every value by its sha256, and nobody sees the item before all are there.',
  examples: [
    ['add people name=Ada', 'one text'],
    ['add cats name=Tom owner=12 picture=@tom.png', 'a text, a reference by id, and a file'],
    ["add notes 'text=@notes.txt'", 'a text from a file'],
    ["add scans 'page=@page.tif;type=image/tiff'", 'a file whose media type is said'],
  ],
  positionals: { from: 1, to: Infinity },
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [repo = '', ...words] = invocation.positionals
    const { client, features } = await openClient(invocation)
    const { schema } = await client.datasetGet({ datasetId: repo })
    const values = await readValues(words, schema)
    const id = await untilInterrupted(invocation.io, 'Nothing was added.', async (signal) => {
      const progress = showTransfer(invocation.io, repo)
      try {
        return await addItem(client, repo, values, {
          signal,
          oneRequest: features.includes('add-item'),
          onProgress: (state) => {
            if (state.step === 'upload') progress.update(state.sentBytes, state.totalBytes)
          },
        })
      } finally {
        progress.stop()
      }
    })
    const asJson = invocation.values.json
    invocation.io.console.log(asJson ? JSON.stringify({ id }) : `Added item ${id} to ${repo}.`)
  },
})
