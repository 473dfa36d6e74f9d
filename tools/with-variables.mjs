import { runWith } from './run-with.mjs'

// `with-variables.mjs NAME=value … vitest run …`: a command with variables, on every kind of shell.

process.exitCode = runWith(process.argv.slice(2))
