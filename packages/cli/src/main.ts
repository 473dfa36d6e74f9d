#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Keeps what was compiled, and stripped of types, for the next command. Not in the system's folder for
// temporary files, where others might put code of theirs.
enableCompileCache(join(import.meta.dirname, '../../../.cache/compiled'))

// A reader such as `head` has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  // Opened only by a command that reads it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  console,
  signals: process,
})
