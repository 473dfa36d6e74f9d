import { backupInstallation, type BackupProgress } from '@vitrine/server/backup'
import { readConfig } from '@vitrine/server/config'
import { defineCommand, CommandError } from '../command/command.ts'
import { counted } from '../command/table.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { orBackupError } from './backup-errors.ts'
import { showCount } from '../command/progress.ts'

export const backup = defineCommand({
  usage: '<folder> [--check] [--json]',
  summary: 'Back up an installation to a folder, while it runs',
  details: [
    'It takes the server’s variables, and needs no server. The folder then has the database of one moment',
    'and every file that it refers to, each checked against its digest. Run again, it copies what is new,',
    'or goes on where it was interrupted; the backup before stays whole until the next one is. --check',
    'reads the files that are there already too, and replaces damaged ones. A database in PostgreSQL is',
    'written by pg_dump. It ends with 8 if the installation itself has lost values.',
  ].join('\n'),
  examples: [
    ['backup /mnt/backup/vitrine', 'the first time everything, then what is new'],
    ['backup /mnt/backup/vitrine --check', 'and every file that is there is read again'],
  ],
  positionals: 1,
  options: { check: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async ({ positionals: [folder = ''], values, io }) => {
    const { console, env } = io
    const progress = showCount(io, 'blobs')
    const onProgress = ({ what, done, total }: BackupProgress) => {
      if (what === 'blobs') progress.update(done, total)
      else progress.note(`database ${Math.floor(done * 100)} %`)
    }
    const outcome = 'Run it again to go on from here.'
    const backup = await untilInterrupted(io, outcome, (signal) =>
      orBackupError(
        backupInstallation(readConfig(env), folder, {
          check: values.check,
          onProgress,
          signal,
        }),
      ).finally(() => progress.stop()),
    )
    const { items, datasets, blobs, blobBytes, databaseBytes, copied, damaged } = backup
    if (values.json) console.log(JSON.stringify({ ...backup, folder }))
    else {
      console.log(
        `Backed up to ${folder}: ${counted(datasets, 'dataset')}, ${counted(items, 'item')}, ${counted(blobs, 'file')} (${copied.toLocaleString('en')} of them new), ${counted(databaseBytes + blobBytes, 'byte')}.`,
      )
    }
    if (damaged.length > 0) {
      throw new CommandError(
        [
          `The installation has lost ${counted(damaged.length, 'file')}; everything else is in the backup:`,
          ...damaged.map((sha256) => `  ${sha256}`),
          '`vitrine verify` names the items that they belong to.',
        ].join('\n'),
        { exitCode: 8 },
      )
    }
  },
})
