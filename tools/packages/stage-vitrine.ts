import { copyFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from '../build.mjs'
import { root } from '../root.mjs'
import { emitJavaScript } from './emit-javascript.ts'
import { readManifest } from './read-manifest.ts'

const parts = ['contract', 'rows', 'sha256-lanes', 'transparency-log', 'client', 'server', 'cli']

/** Writes `vitrine` as it is published: server, web app and command line in one package. */
export function stageVitrine(folder: string): void {
  const dist = join(folder, 'dist')
  emitJavaScript({
    // What is imported is written too, but a file that is not TypeScript only now and then: two manifests are.
    entries: [`{${parts.join()}}/src/**/*.ts`, '{cli,server}/package.json'],
    outDir: dist,
    optionsOf: 'cli',
  })
  buildWeb()
  cpSync(join(root, 'packages/web/dist'), join(dist, 'web/dist'), { recursive: true })
  const { version, license } = readManifest('cli')
  const manifest = {
    name: 'vitrine',
    version,
    description: 'A self-hosted home for curated datasets: server, web app and command line',
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { vitrine: 'dist/cli/src/main.js' },
    files: ['dist'],
    dependencies: ofAll('dependencies'),
    optionalDependencies: ofAll('optionalDependencies'),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'packages/cli/README.md'), join(folder, 'README.md'))
}

function ofAll(kind: 'dependencies' | 'optionalDependencies'): Record<string, string> {
  return Object.assign({}, ...parts.map((part) => readManifest(part)[kind])) as Record<
    string,
    string
  >
}
