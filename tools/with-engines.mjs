import { runWith } from './run-with.mjs'
import { startEngines } from './test-engines.mjs'

// `with-engines.mjs RUN NAME=value … vitest run …`: a command with the engines of one run of the tests,
// and with variables that are not set already.

const engines = await startEngines()
const [run, ...words] = process.argv.slice(2)
const { name, env } = engines.runs[run]
console.log(`On ${name}`)
const status = runWith(words, env)
await engines.stop()
process.exitCode = status
