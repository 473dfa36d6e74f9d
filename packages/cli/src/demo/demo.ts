import { join } from 'node:path'
import { ApiError } from '@vitrine/client'
import { type Command, CommandError, UsageError } from '../command.ts'
import { connect } from './connect.ts'
import { fetchSets } from './fetch-sets.ts'
import { loadDemo } from './load-demo.ts'
import { showProgress } from './progress.ts'

/** As many cities as make the demo worth looking at in a minute. */
const cityCountDefault = 3000

const cacheDir = join(import.meta.dirname, '../../../../.cache/demo')

export const demo: Command = {
  usage: '[--cities <number>|all] [--server <address>] [--user <name>] [--token <token>]',
  summary: 'Load countries, cities, emoji and views on them; again, to go on after an interruption',
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
    const client = await connect({ server, username: options['user'] ?? 'admin', token })
    const setsDir = await fetchSets(cacheDir)

    const interrupted = new AbortController()
    const interrupt = () => interrupted.abort()
    process.once('SIGINT', interrupt)
    try {
      const { signal } = interrupted
      const loaded = await loadDemo(client, { setsDir, cityCount, showProgress, signal })
      const items = loaded.items.toLocaleString('en')
      console.log(
        `${items} items in ${loaded.repos} repositories, and ${loaded.views} views on them: ${client.options.baseUrl}/`,
      )
    } catch (error) {
      if (interrupted.signal.aborted) {
        throw new CommandError('Interrupted. Run it again to go on from here.', { cause: error })
      }
      if (!(error instanceof ApiError)) throw error
      throw new CommandError([error.message, ...error.problems].join('\n'), { cause: error })
    } finally {
      process.off('SIGINT', interrupt)
    }
  },
}

function parseCityCount(given: string | undefined): number {
  if (given === undefined) return cityCountDefault
  if (given === 'all') return Infinity
  if (!/^\d{1,9}$/.test(given)) throw new UsageError('--cities takes a number, or all.')
  return Number(given)
}
