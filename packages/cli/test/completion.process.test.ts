// @module-tag whole

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vitrine } from './vitrine.ts'

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  for (const shell of ['bash', 'fish']) {
    const { stdout } = await vitrine(['completion', shell])
    writeFileSync(join(folder, shell), stdout)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Fish is tried where it is installed. */
const shells = (['fish', 'bash'] as const).filter(
  (shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0,
)

/** Completions of a shell after some words. */
const offered = {
  fish: (line: string) =>
    execFileSync('fish', [
      '--no-config',
      '-c',
      `source ${join(folder, 'fish')}; complete -C '${line}'`,
    ]),
  bash: (line: string) =>
    execFileSync('bash', [
      '--norc',
      '-c',
      `source ${join(folder, 'bash')}; COMP_WORDS=(${line.replace(/ $/, " ''")})
       COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _vitrine; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]),
}

for (const shell of shells) {
  test.each([
    ['vitrine tra', ['trash']],
    ['vitrine trash ', ['collect', 'empty', 'list', 'restore']],
    ['vitrine trash restore --', ['--all', '--day', '--help', '--json']],
    ['vitrine restore --to', ['--to', '--to-blobs', '--to-database']],
    ['vitrine user p', ['passwd']],
  ])(`${shell} completes "%s"`, (line, words) => {
    const found = offered[shell](line).toString().split('\n')
    const names = found.map((each) => each.split('\t')[0]!).filter(Boolean)
    expect(names.toSorted()).toEqual(words)
  })
}
