import { hasPostgres, startPostgres } from './postgres-server.mjs'
import { hasS3Server, startS3Server } from './s3-server.mjs'

/**
 * Starts PostgreSQL and the S3 server for tests.
 * @returns the runs that they make possible beside the one on SQLite and files, each with the variables
 *   that tests find them by; and how to stop them
 * @throws Error in a sentence where one of them is not on this machine
 */
export async function startEngines() {
  if (!hasPostgres() || !hasS3Server()) {
    throw new Error(
      'This needs PostgreSQL and an S3 server: `npm run install-engines` installs them.',
    )
  }
  const postgres = await startPostgres()
  const s3 = await startS3Server()
  return {
    runs: {
      'postgres-files': { name: 'PostgreSQL and files', env: postgres.env },
      'postgres-s3': { name: 'PostgreSQL and S3', env: { ...postgres.env, ...s3.env } },
    },
    stop: async () => {
      await s3.stop()
      await postgres.stop()
    },
  }
}
