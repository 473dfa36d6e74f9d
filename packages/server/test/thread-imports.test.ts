import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../..')

/** Modules that a file loads, by static imports and by `import()`, but for those of types alone. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const clauses = text.matchAll(/^(?:import|export) (?:([^;'"]*?) from )?'([^']+)'/gms)
  const named = [...clauses]
    .filter(([, clause = '']) => {
      if (/^type\b/.test(clause)) return false
      const names = /^\{(.*)\}$/s.exec(clause)?.[1]
      return !names?.split(',').every((name) => /^\s*(?:type\b.*)?$/s.test(name))
    })
    .map(([, , module = '']) => module)
  return [
    ...named,
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, module = '']) => module),
  ]
}

/** Each module that is loaded with a file, and the chain of files by which. */
function loadedWith(entry: string): Map<string, string> {
  const loaded = new Map<string, string>()
  const visit = (file: string, chain: string): void => {
    for (const module of importsOf(file)) {
      const [, name, path = 'index'] = /^@vitrine\/([^/]+)(?:\/(.+))?$/.exec(module) ?? []
      const target = module.startsWith('.')
        ? join(dirname(file), module)
        : join(packages, String(name), 'src', `${path}.ts`)
      const key = existsSync(target) ? target.slice(packages.length + 1) : module
      if (loaded.has(key)) continue
      loaded.set(key, `${chain} > ${key}`)
      if (key !== module) visit(target, `${chain} > ${key}`)
    }
  }
  visit(join(packages, 'server/src', entry), entry)
  return loaded
}

// A process has several of each, and an import waits for them: docs/decisions/imports.md.
test.each([
  ['imports/answer-blocks.ts', ['kysely', 'contract/src/index.ts']],
  ['exports/rows-worker.ts', ['kysely', 'contract/src/index.ts', 'zod/mini']],
  ['store/sqlite/read-worker.ts', ['kysely', 'contract/src/index.ts', 'zod/mini']],
  [
    'store/sqlite/write-worker.ts',
    ['kysely', 'contract/src/index.ts', 'zod/mini', 'contract/src/values/index.ts'],
  ],
  ['store/sqlite/sort-worker.ts', ['kysely', 'contract/src/index.ts', 'zod/mini']],
])('a thread of %s does not load %s', (entry, heavy) => {
  const loaded = loadedWith(entry)
  expect(loaded.size).toBeGreaterThan(3)
  expect(heavy.flatMap((module) => loaded.get(module) ?? [])).toEqual([])
})
