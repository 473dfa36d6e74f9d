import { runWith } from './run-with.mjs'
import { startEngines } from './test-engines.mjs'

// `with-engines.mjs NAME=value … vitest run …`: a command with the engines of the last run of all tests,
// and with variables that are not set already.

const engines = await startEngines({ withPostgres: true })
const { name, env } = engines.runs.at(-1)
console.log(`On ${name}`)
const status = runWith(process.argv.slice(2), env)
await engines.stop()
process.exitCode = status
