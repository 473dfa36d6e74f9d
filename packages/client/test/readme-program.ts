import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** The pieces of code in the README, as one program for the server at an address. */
export function readmeProgram(url: string): string {
  const pieces = readme.matchAll(/^```ts\n(.*?)^```$/gms).map(([, piece]) => piece)
  return [...pieces].join('\n').replace('http://localhost:8080', url)
}

/** Checks what the program prints. */
export function expectReadmeOutput(stdout: string): void {
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toBe('2 []')
  expect(lines).toContain('44 of 44')
  expect(lines).toContain('added 1')
  expect(lines).toContain('1 Tom')
  expect(lines).toContain('41 bytes')
  expect(lines).toContain('added 3')
  expect(lines).toContain('{ from: 3, to: 5, firstId: 4 }')
  expect(lines).toContain('id,createdAt,name,picture')
  expect(lines.at(-1)).toMatch(/^404 FIELD_NOT_IN_SCHEMA \[.*\]$/)
}
