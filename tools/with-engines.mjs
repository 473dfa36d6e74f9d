import { startGarage } from './garage-server.mjs'
import { runWith } from './run-with.mjs'
import { startEngines } from './test-engines.mjs'

// `with-engines.mjs RUN NAME=value … vitest run …`: a command with the engines of one run of the tests,
// and with variables that are not set already.

const [run, ...words] = process.argv.slice(2)
// Built by hand, so no run of all tests starts it.
const garage = run === 'postgres-garage' ? await startGarage() : undefined
try {
  const engines = await startEngines()
  const { name, env } = garage === undefined ? engines.runs[run] : withGarage(engines)
  console.log(`On ${name}`)
  process.exitCode = runWith(words, env)
  await engines.stop()
} finally {
  await garage?.stop()
}

function withGarage({ runs }) {
  const { env } = runs['postgres-files']
  return { name: 'PostgreSQL and Garage', env: { ...env, ...garage.env } }
}
