import { join } from 'node:path'
import { type Command, UsageError } from '../command.ts'
import { untilInterrupted } from '../interruption.ts'
import { connect } from './connect.ts'
import { fetchSets } from './fetch-sets.ts'
import { loadDemo } from './load-demo.ts'
import { showProgress } from './progress.ts'

const cacheDir = join(import.meta.dirname, '../../../../.cache/demo')

export const demo: Command = {
  usage: '[--cities <number>|all] [--server <address>] [--user <name>] [--token <token>]',
  summary: 'Load countries, cities, emoji and views on them; again, to go on after an interruption',
  details:
    'Takes the largest cities, --cities of them; otherwise all, and 3,000 where the server takes no imports.',
  positionals: 0,
  options: {
    cities: { type: 'string' },
    server: { type: 'string' },
    user: { type: 'string' },
    token: { type: 'string' },
  },
  run: async ({ values }) => {
    const options = values as Record<string, string | undefined>
    const cityCount = parseCityCount(options['cities'])
    const port = process.env['VITRINE_PORT'] ?? '8080'
    const server =
      options['server'] ?? process.env['VITRINE_PUBLIC_URL'] ?? `http://localhost:${port}`
    const token = options['token'] ?? process.env['VITRINE_TOKEN']
    const opened = await connect({ server, username: options['user'] ?? 'admin', token })
    const setsDir = await fetchSets(cacheDir)

    const loaded = await untilInterrupted('Run it again to go on from here.', (signal) =>
      loadDemo(opened, { setsDir, cityCount, showProgress, signal }),
    )
    const items = loaded.items.toLocaleString('en')
    console.log(
      `${items} items in ${loaded.repos} repositories, and ${loaded.views} views on them: ${opened.client.options.baseUrl}/`,
    )
  },
}

function parseCityCount(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (given === 'all') return Infinity
  if (!/^\d{1,9}$/.test(given)) throw new UsageError('--cities takes a number, or all.')
  return Number(given)
}
