import { adopt } from '@vitrine/server/blobs'
import { readConfig } from '@vitrine/server/config'
import { defineCommand } from '../command/command.ts'

export const blobsAdopt = defineCommand({
  usage: '',
  summary: 'Make the configured blob store that of the configured database',
  details: [
    'A server does not start on the blobs of another installation, nor on a store that does not fit its',
    'database. Run this once, with the server’s variables, when you know that they belong together. The',
    'installation that had the blobs before does not start on them any more. Files that the database does',
    'not know go to the trash after a day, unless they are many: see `vitrine trash collect`.',
  ].join('\n'),
  examples: [['blobs adopt', 'when the database was lost, and its blobs were not']],
  positionals: 0,
  options: {},
  run: async ({ io }) => {
    const { id, before } = await adopt(readConfig(io.env))
    const was = before === undefined ? 'to no installation' : `to installation ${before}`
    io.console.log(
      before === id
        ? `The blobs belong to installation ${id} already.`
        : `The blobs belong to installation ${id} from now on; they belonged ${was}.`,
    )
  },
})
