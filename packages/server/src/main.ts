import { setFlagsFromString } from 'node:v8'
import { freeStart } from './runtime/gc.ts'
import { ConfigError, readConfig, startServer } from './start.ts'

// This thread has what Node was started with (`runtime/node-flags.mjs`); the others take half of it, in MiB.
// It stands above `resourceLimits` in each of them.
setFlagsFromString('--max-semi-space-size=2')

const freeStartAfterMs = 2000

try {
  const config = readConfig(process.env)
  const server = await startServer(config)
  server.say(`Vitrine is at ${server.url}`)
  if (server.firstAccount !== undefined) {
    const { username, password } = server.firstAccount
    const hasPassword = config.adminPassword !== undefined
    server.say(
      hasPassword
        ? `Sign in as ${username} with the password of VITRINE_ADMIN_PASSWORD.`
        : `Sign in as ${username} with the password ${password} (it is shown this once).`,
    )
  }
  // Not before: whoever waits for the start would wait for it too.
  setTimeout(freeStart, freeStartAfterMs).unref()
  const stop = () => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    void server.close()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
