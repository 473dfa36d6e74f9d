import { join } from 'node:path'
import { defineCommand, UsageError } from '../command/command.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { connect } from './connect.ts'
import { fetchSets } from './fetch-sets.ts'
import { loadDemo } from './load-demo.ts'
import { showProgress } from '../command/progress.ts'

const cacheDir = join(import.meta.dirname, '../../../../.cache/demo')

export const demo = defineCommand({
  usage: '[--cities <number>|all] [--server <address>] [--user <name>] [--token <token>]',
  summary: 'Load demo data: countries, cities, emoji, and views on them',
  details:
    'Loads all cities, or 3,000 where the server takes no imports; --cities is how many of the largest.\n' +
    'Uses --token, or your sign-in to the server. Without either it acts as --user, or admin, of a server\n' +
    'that has its data on this computer, in VITRINE_DATA_DIR. Run it again to go on after an interruption.',
  examples: [
    ['demo', 'into the server on this computer'],
    ['demo --cities 3000', 'the largest cities only'],
    ['demo --server https://vitrine.example', 'into another server, after `vitrine login` there'],
  ],
  positionals: 0,
  options: {
    cities: { type: 'string' },
    server: { type: 'string' },
    user: { type: 'string' },
    token: { type: 'string' },
  },
  run: async ({ values, io }) => {
    const cityCount = parseCityCount(values.cities)
    const {
      VITRINE_PORT: port,
      VITRINE_PUBLIC_URL: publicUrl,
      VITRINE_SERVER: named,
      VITRINE_TOKEN: environmentToken,
    } = io.env
    // Not the one signed in to last: it is filled by the keys of this computer's own server.
    const server = values.server || named || publicUrl || `http://localhost:${port || 8080}`
    const token = values.token ?? environmentToken
    const opened = await connect({ io, server, username: values.user, token })
    const setsDir = await fetchSets(cacheDir, io)

    const loaded = await untilInterrupted(io, 'Run it again to go on from here.', (signal) =>
      loadDemo(opened, { setsDir, cityCount, showProgress: showProgress(io), signal }),
    )
    const items = loaded.items.toLocaleString('en')
    io.console.log(
      `${items} items in ${loaded.repos} repositories, and ${loaded.views} views on them: ${opened.client.options.baseUrl}/`,
    )
  },
})

function parseCityCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'all') return Infinity
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--cities takes a number, or all.')
  return Number(text)
}
