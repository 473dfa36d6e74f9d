import { listTrash, withBlobs } from '@vitrine/server/blobs'
import { readConfig } from '@vitrine/server/config'
import { defineCommand } from '../command/command.ts'

export const trashList = defineCommand({
  usage: '[--json]',
  summary: 'List the files in the trash',
  details: 'Each line has the day on which a file was put there, its size in bytes and its sha256.',
  examples: [
    ['trash list', 'every file, the oldest day first'],
    ['trash list --json | jq -r .sha256', 'their digests, for another program'],
  ],
  positionals: 0,
  options: { json: { type: 'boolean' } },
  run: async ({ values, io }) => {
    await withBlobs(readConfig(io.env), async ({ blobs }) => {
      let count = 0
      for await (const trashed of listTrash(blobs)) {
        count += 1
        const { day, size, sha256 } = trashed
        io.console.log(values.json ? JSON.stringify(trashed) : `${day}  ${size}  ${sha256}`)
      }
      if (count === 0 && !values.json) io.console.log('The trash is empty.')
    })
  },
})
