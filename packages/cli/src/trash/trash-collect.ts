import { approveCollection, withBlobs } from '@vitrine/server/blobs'
import { readConfig } from '@vitrine/server/config'
import { defineCommand } from '../command/command.ts'

export const trashCollect = defineCommand({
  usage: '',
  summary: 'Let a collection go on that stopped rather than take many files',
  details: [
    'A collection stops before it moves more than 100 files, and more than 5 % of them, that the database',
    'does not know: the database may be another one, or an older backup. When you know that it is not, run',
    'this. The server moves them to the trash within minutes, each a day after it first saw it.',
  ].join('\n'),
  examples: [['trash collect', 'after a restore, when what is newer may go']],
  positionals: 0,
  options: {},
  run: async ({ io }) => {
    const count = await withBlobs(readConfig(io.env), approveCollection)
    io.console.log(
      count === 0
        ? 'There is no file that the database does not know.'
        : `${count.toLocaleString('en')} files that the database does not know may go to the trash.`,
    )
  },
})
