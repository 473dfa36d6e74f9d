// @module-tag whole

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { expectReadmeOutput, readmeProgram } from './readme-program.ts'
import { startOwnServer } from './server.ts'

test('the program in the README does what it says', async () => {
  const server = await startOwnServer()
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  try {
    writeFileSync(join(folder, 'program.ts'), readmeProgram(server.url))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
    const child = spawn(process.execPath, ['program.ts'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], VITRINE_TOKEN: server.token },
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stderr).toBe('')
    expectReadmeOutput(stdout)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
