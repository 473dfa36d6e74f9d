import { ConfigError, readConfig, startServer } from './start.ts'

try {
  const server = await startServer(readConfig(process.env))
  console.log(`Vitrine is at ${server.url}`)
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
