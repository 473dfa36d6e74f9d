import { spawnSync } from 'node:child_process'
import { startEngines } from './test-engines.mjs'

// `with-engines.mjs NAME=value … vitest run …`: a command with the engines of the last run of all tests,
// and with variables that are not set already.

const engines = await startEngines({ withPostgres: true })
const { name, env } = engines.runs.at(-1)
console.log(`On ${name}`)
const words = process.argv.slice(2)
const isVariable = (word) => /^[A-Z_]+=/.test(word)
const [command, ...args] = words.filter((word) => !isVariable(word))
const variables = Object.fromEntries(words.filter(isVariable).map((word) => word.split('=')))
const { status } = spawnSync(command, args, {
  env: { ...variables, ...process.env, ...env },
  stdio: 'inherit',
})
await engines.stop()
process.exitCode = status ?? 1
