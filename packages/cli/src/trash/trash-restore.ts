import { restoreTrash, withBlobs } from '@vitrine/server/blobs'
import { readConfig } from '@vitrine/server/config'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'

export const trashRestore = defineCommand({
  usage: '[<sha256>…] [--all] [--day <day>] [--json]',
  summary: 'Put files back from the trash',
  details: [
    'Without a digest and without --all it puts back what the database needs. Every file is hashed before;',
    'what is damaged stays in the trash. A file that the database does not know goes back to the trash when',
    'it has been there for a day.',
  ].join('\n'),
  examples: [
    ['trash restore', 'after a database was restored from a backup'],
    ['trash restore --all --day 2026-11-22', 'everything that was put there on that day'],
  ],
  positionals: { from: 0, to: 10_000 },
  options: { all: { type: 'boolean' }, day: { type: 'string' }, json: { type: 'boolean' } },
  run: async ({ positionals, values, io }) => {
    const digests = positionals.map((digest) => digest.toLowerCase())
    const wrong = digests.find((digest) => !/^[0-9a-f]{64}$/.test(digest))
    if (wrong !== undefined) throw new UsageError(`${wrong} is no sha256: it has 64 hex digits.`)
    const isAll = values.all
    if (isAll && digests.length > 0) throw new UsageError('Name digests, or give --all.')
    const { day } = values
    if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day)) {
      throw new UsageError(`${day} is no day such as 2026-11-22.`)
    }
    const wanted = digests.length > 0 ? new Set(digests) : isAll ? 'all' : 'needed'
    const { restored, damaged } = await withBlobs(readConfig(io.env), (rooms) =>
      restoreTrash(rooms, { wanted, day: day === undefined ? undefined : day }),
    )
    if (values.json) io.console.log(JSON.stringify({ restored, damaged }))
    else io.console.log(`Restored ${restored} ${restored === 1 ? 'file' : 'files'}.`)
    if (damaged.length > 0) {
      const list = damaged.map(({ sha256, day: since }) => `  ${sha256} of ${since}`)
      throw new CommandError(['These are damaged, and stay in the trash:', ...list].join('\n'), {
        exitCode: 8,
      })
    }
  },
})
