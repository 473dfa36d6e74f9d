import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startOwnServer } from './server.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

test('the program in the README does what it says', async () => {
  const server = await startOwnServer()
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  try {
    const pieces = readme.matchAll(/^```ts\n(.*?)^```$/gms).map(([, piece]) => piece)
    const program = [...pieces].join('\n').replace('http://localhost:8080', server.url)
    writeFileSync(join(folder, 'program.ts'), program)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
    const child = spawn(process.execPath, ['program.ts'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], VITRINE_TOKEN: server.token },
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stderr).toBe('')
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toBe('2 []')
    expect(lines).toContain('44 of 44')
    expect(lines).toContain('added 1')
    expect(lines).toContain('1 Tom')
    expect(lines).toContain('41 bytes')
    expect(lines).toContain('{ from: 1, to: 3, firstId: 2 }')
    expect(lines).toContain('id,createdAt,name,picture')
    expect(lines.at(-1)).toMatch(/^404 FIELD_NOT_IN_SCHEMA \[.*\]$/)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
