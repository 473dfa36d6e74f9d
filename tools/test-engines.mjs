import { hasPostgres, startPostgres } from './postgres-server.mjs'
import { hasS3Server, startS3Server } from './s3-server.mjs'

/**
 * Starts the engines that are on this machine, for the tests of the server.
 * @returns which runs they make possible, beginning with the one that needs none; what is left out,
 *   in sentences; and how to stop them
 */
export async function startEngines({ withPostgres }) {
  const runs = [{ name: 'SQLite and files', env: {} }]
  const leftOut = []
  const stops = []
  const postgres = withPostgres && hasPostgres() ? await startPostgres() : undefined
  const s3 = hasS3Server() ? await startS3Server() : undefined
  if (postgres === undefined) leftOut.push(onPostgres)
  else stops.push(postgres.stop)
  if (s3 === undefined) leftOut.push(`Left out: the tests on S3. ${installing}`)
  else stops.push(s3.stop)
  if (s3 !== undefined) runs.push({ name: 'SQLite and S3', env: s3.env })
  if (postgres !== undefined) {
    runs.push({ name: 'PostgreSQL and files', env: postgres.env })
    if (s3 !== undefined) {
      runs.push({ name: 'PostgreSQL and S3', env: { ...postgres.env, ...s3.env } })
    }
  }
  return {
    runs,
    leftOut,
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}

const installing = '`npm run install-engines` installs what they need.'

const onPostgres =
  'Left out: the tests on PostgreSQL. `npm run test:engines -- packages/server/` runs them.'
