import { readConfig } from '@vitrine/server/config'
import { CopyError, copyInstallation } from '@vitrine/server/copy'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { type Progress, showProgress } from '../command/progress.ts'

export const copy = defineCommand({
  usage: '--from <folder> --to-database <address> --to-blobs <address>',
  summary: 'Move an installation to other engines, such as PostgreSQL and S3',
  details: [
    'Every value is checked against its digest on the way. No server may run on either side. What is',
    'interrupted goes on where it was when it is run again. The source stays as it is.',
  ].join('\n'),
  examples: [
    [
      'copy --from ./data --to-database postgres://vitrine@db/vitrine --to-blobs s3://bucket/prefix',
      'from SQLite and files to PostgreSQL and S3',
    ],
  ],
  positionals: 0,
  options: {
    from: { type: 'string' },
    'to-database': { type: 'string' },
    'to-blobs': { type: 'string' },
  },
  run: async ({ values, io }) => {
    const { from: dataDir, 'to-database': database, 'to-blobs': blobs } = values
    if (dataDir === undefined || database === undefined || blobs === undefined) {
      const wanted = ['from', 'to-database', 'to-blobs'] as const
      const missing = wanted.find((name) => values[name] === undefined)
      throw new UsageError(`Missing --${missing}.`)
    }
    const place = { VITRINE_DATA_DIR: dataDir }
    const moved = { VITRINE_DATABASE_URL: database, VITRINE_BLOB_URL: blobs }
    const shown = new Map<string, Progress & { done: number }>()
    try {
      const copied = await copyInstallation(
        { from: readConfig(place), to: readConfig({ ...place, ...moved }) },
        (repo, { done, total }) => {
          const progress = shown.get(repo) ?? { ...showProgress(io)(repo, { done, total }), done }
          shown.set(repo, progress)
          progress.step(done - progress.done)
          progress.done = done
          if (done === total) progress.stop()
        },
      )
      io.console.log(
        `Copied ${copied.items.toLocaleString('en')} items and ${copied.blobs.toLocaleString('en')} files; every digest was right.`,
      )
      io.console.log('Start the servers with:')
      for (const [name, value] of Object.entries(moved)) io.console.log(`  ${name}='${value}'`)
    } catch (error) {
      if (!(error instanceof CopyError)) throw error
      throw new CommandError(error.message, { cause: error })
    }
  },
})
