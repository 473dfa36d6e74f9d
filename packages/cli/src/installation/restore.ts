import { checkBackup } from '@vitrine/server/check-backup'
import { type Config, readConfig } from '@vitrine/server/config'
import { restoreInstallation } from '@vitrine/server/restore'
import { defineCommand, type Invocation, CommandError, UsageError } from '../command/command.ts'
import { counted, visible } from '../command/table.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { orBackupError } from './backup-errors.ts'
import { showCount } from '../command/progress.ts'

const restoreOptions = {
  check: { type: 'boolean' },
  to: { type: 'string' },
  'to-database': { type: 'string' },
  'to-blobs': { type: 'string' },
  json: { type: 'boolean' },
} as const

export const restore = defineCommand({
  usage:
    '<folder> [--to <data folder>] [--to-database <address>] [--to-blobs <address>] [--json]\n' +
    '       vitrine restore <folder> --check [--json]',
  summary: 'Restore a backup to where there is nothing, or check one',
  details: [
    'Without --to… it takes the server’s variables. A database and files that are there already are never',
    'overwritten. Every file is checked against its digest on the way; what was interrupted goes on where',
    'it was when it is run again. --check restores nothing: it reads the whole backup, down to the last',
    'byte, and every item of a database in SQLite. Both end with 8 if anything is damaged, and say what.',
  ].join('\n'),
  examples: [
    ['restore /mnt/backup/vitrine --check', 'is it whole?'],
    ['restore /mnt/backup/vitrine --to ./data', 'into a new data folder'],
    [
      'restore /mnt/backup/vitrine --to-database postgres://vitrine@db/new --to-blobs s3://new',
      'into an empty database and an empty bucket',
    ],
  ],
  positionals: 1,
  options: restoreOptions,
  run: async (invocation) => {
    const { io } = invocation
    const { console } = io
    const [folder = ''] = invocation.positionals
    if (invocation.values.check) return check(folder, invocation)
    const progress = showCount(io, 'blobs')
    const restored = await untilInterrupted(io, 'Run it again to go on from here.', (signal) =>
      orBackupError(
        restoreInstallation(folder, placeOf(invocation), {
          onProgress: ({ done, total }) => progress.update(done, total),
          signal,
        }),
      ).finally(() => progress.stop()),
    )
    const { completedAt, datasets, items, blobs, damaged, lacksCheckpoints } = restored
    if (invocation.values.json) console.log(JSON.stringify(restored))
    else {
      console.log(
        `Restored the backup of ${completedAt.slice(0, 16).replace('T', ' ')} UTC: ${counted(datasets, 'dataset')}, ${counted(items, 'item')}, ${counted(blobs - damaged.length, 'file')}; every digest was right.`,
      )
      if (lacksCheckpoints) console.error(lackingCheckpoints)
    }
    if (damaged.length > 0) {
      throw new CommandError(
        [
          `Damaged in the backup, and not restored: ${counted(damaged.length, 'file')}.`,
          ...damaged.map((sha256) => `  ${sha256}`),
          '`vitrine verify` names the items that they belong to.',
        ].join('\n'),
        { exitCode: 8 },
      )
    }
  },
})

const lackingCheckpoints =
  'Logs are signed again once `checkpoints` of the files that the installation had is in its place, or after `vitrine log renew`.'

async function check(
  folder: string,
  { values, io }: Invocation<typeof restoreOptions>,
): Promise<void> {
  if ((['to', 'to-database', 'to-blobs'] as const).some((name) => values[name] !== undefined)) {
    throw new UsageError('--check restores nothing: leave --to… out.')
  }
  const { console } = io
  const asJson = values.json
  const progress = showCount(io, 'blobs')
  let damaged = 0
  const checked = await untilInterrupted(io, 'Not everything was checked.', (signal) =>
    orBackupError(
      checkBackup(folder, {
        onDamage: ({ where, what }) => {
          damaged += 1
          console.log(asJson ? JSON.stringify({ where, what }) : visible(`${where}: ${what}`))
        },
        onProgress: ({ done, total }) => progress.update(done, total),
        signal,
      }),
    ).finally(() => progress.stop()),
  )
  const { datasets, items, blobs, hasCheckedItems } = checked
  if (asJson) console.log(JSON.stringify({ ...checked, found: damaged }))
  else {
    const each = hasCheckedItems
      ? counted(items, 'item')
      : `a database of ${counted(items, 'item')}, which were not looked at one by one`
    console.log(
      `Checked ${folder}: ${counted(datasets, 'dataset')}, ${each}, ${counted(blobs, 'file')}.`,
    )
  }
  if (damaged > 0) {
    throw new CommandError(`Damaged: ${counted(damaged, 'place')}.`, { exitCode: 8 })
  }
}

function placeOf({ values, io }: Invocation<typeof restoreOptions>): Config {
  const { to, 'to-database': database, 'to-blobs': blobs } = values
  // A folder that is named is all of it, whatever else a server here is told.
  const own = to === undefined ? {} : { VITRINE_DATABASE_URL: '', VITRINE_BLOB_URL: '' }
  return readConfig({
    ...io.env,
    ...own,
    ...(to !== undefined && { VITRINE_DATA_DIR: to }),
    ...(database !== undefined && { VITRINE_DATABASE_URL: database }),
    ...(blobs !== undefined && { VITRINE_BLOB_URL: blobs }),
  })
}
