// @module-tag whole

import { basename, dirname, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const ours = sep + ['packages', 'client', 'src', ''].join(sep)

/** Bundles a program for browsers that uses one name; returns our modules in it, and its size minified. */
async function bundled(name: string): Promise<{ modules: string[]; bytes: number }> {
  const bundle = await rolldown({
    input: 'program',
    cwd: dirname(import.meta.dirname),
    platform: 'browser',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : undefined),
        load: (id) =>
          id === 'program'
            ? `import { ${name} } from '@vitrine/client'; console.log(${name})`
            : undefined,
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  const [{ code, modules }] = output
  const files = Object.keys(modules).filter((id) => id.includes(ours))
  return { modules: files.map((id) => basename(id, '.ts')).toSorted(), bytes: code.length }
}

test.for([
  ['ApiError', ['api-error']],
  ['callUrl', ['send']],
  ['deleteDataset', ['api-error', 'delete-dataset']],
  ['importFile', ['api-error', 'import-file', 'import-parts', 'retry']],
  ['sha256', ['api-error', 'sha256']],
] as const)('a program that uses %s carries nothing else', async ([name, modules]) => {
  const bundle = await bundled(name)
  expect(bundle.modules).toEqual(modules)
  // Nor the table of calls and what it needs to check replies, which is most of the client.
  expect(bundle.bytes).toBeLessThan(16_000)
})

test('a client carries no uploads, imports, exports and digests', async () => {
  const { modules } = await bundled('createClient')
  expect(modules).toEqual(['api-error', 'client', 'items', 'read-reply', 'retry', 'send'])
})
