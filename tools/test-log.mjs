import { join } from 'node:path'
import { hasGo } from './build-check-log.mjs'
import { ensurePythonEnvironment } from './python-environment.ts'
import { root } from './root.mjs'
import { runWith } from './run-with.mjs'
import { startEngines } from './test-engines.mjs'

// Verifies the logs of repositories by Go's packages and by aics-tlog for Python, 1,000 proofs of each kind on each
// engine.

const words = ['LOG_PROOFS=1000', 'vitest', 'run', 'packages/cli/test/check-log.process.test.ts']
if (hasGo()) {
  // aics-tlog says that it needs Python 3.12, and runs on 3.11.
  process.env.CHECK_LOG_PYTHON = ensurePythonEnvironment(
    join(root, 'tools', 'check-log-python', 'requirements.txt'),
    ['--ignore-requires-python'],
  )
  const engines = await startEngines()
  console.log('On SQLite and files')
  const first = runWith(words)
  const { name, env } = engines.runs['postgres-s3']
  console.log(`On ${name}`)
  process.exitCode = runWith(words, env) || first
  await engines.stop()
} else {
  console.error('This needs Go, 1.26 or newer: https://go.dev/doc/install')
  process.exitCode = 1
}
