import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errors } from '@vitrine/contract'
import type { TestProject } from 'vitest/node'

/** Fails a run of all tests of the server in which an error of the catalogue was never replied. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const file = join(folder, 'provoked')
  writeFileSync(file, '')
  project.provide('provokedFile', file)
  return () => {
    const provoked = new Set(readFileSync(file, 'utf8').split('\n'))
    rmSync(folder, { recursive: true })
    const missing = Object.keys(errors).filter((code) => !provoked.has(code))
    if (missing.length > 0 && allRan(project)) {
      throw new Error(`No test of the server provokes ${missing.join(', ')}.`)
    }
  }
}

function allRan({ vitest, config }: TestProject): boolean {
  const ran = new Set(vitest.state.getTestModules().map(({ moduleId }) => moduleId))
  const all = globSync('**/*.test.ts', { cwd: import.meta.dirname })
  const filtered = config.testNamePattern !== undefined || config.tagsFilter !== undefined
  return !filtered && all.every((file) => ran.has(join(import.meta.dirname, file)))
}
