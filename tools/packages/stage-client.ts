import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { emitJavaScript } from './emit-javascript.ts'
import { readManifest } from './read-manifest.ts'

/** Language and library of Node 20 and browsers of its time; the code is compiled to them. */
const runtime = { target: 'es2022', lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'] }

/** Writes `@vitrine/client` as it is published: JavaScript and declarations, with what it shares in it. */
export function stageClient(folder: string): void {
  emitJavaScript({
    entries: [
      'client/src/{index,parse-description}.ts',
      'contract/src/**/*.ts',
      'transparency-log/src/*.ts',
    ],
    outDir: join(folder, 'dist'),
    optionsOf: 'client',
    compilerOptions: { declaration: true, ...runtime },
  })
  const { name, version, description, license } = readManifest('client')
  const known = { ...readManifest('client').dependencies, ...readManifest('contract').dependencies }
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { '.': exportOf('index'), './yaml': exportOf('parse-description') },
    types: './dist/client/src/index.d.ts',
    files: ['dist'],
    dependencies: importedOf(join(folder, 'dist'), known),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'packages/client/README.md'), join(folder, 'README.md'))
}

function exportOf(module: string) {
  const path = `./dist/client/src/${module}`
  return { types: `${path}.d.ts`, default: `${path}.js` }
}

/** The dependencies that some file imports: the web app uses more of the client than is published. */
function importedOf(dist: string, known: Record<string, string>): Record<string, string> {
  const files = globSync('**/*.{js,d.ts}', { cwd: dist })
  const code = files.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n')
  const isImported = (name: string) => new RegExp(`(from|import\\()\\s*["']${name}["'/]`).test(code)
  return Object.fromEntries(Object.entries(known).filter(([name]) => isImported(name)))
}
