import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { root } from '../root.mjs'

const sources = join(root, 'packages')
const { resolve } = createRequire(import.meta.url)

/**
 * Writes packages of this workspace as JavaScript, in folders that stand to each other as the packages do.
 * What they import of one another becomes a relative path, so that none of them has to be installed.
 * Files beside the sources that are no TypeScript, such as styles, are copied.
 */
export function emitJavaScript({
  entries,
  outDir,
  optionsOf,
  compilerOptions = {},
}: {
  /** Globs below `packages/`, of every file that is needed of every package. */
  entries: string[]
  /** Is removed first. */
  outDir: string
  /** The package whose compiler options are taken. */
  optionsOf: string
  /** Options beyond its own. */
  compilerOptions?: Record<string, unknown>
}): void {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  const project = join(outDir, 'tsconfig.json')
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(sources, optionsOf, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        incremental: false,
        tsBuildInfoFile: null,
        rewriteRelativeImportExtensions: true,
        rootDir: sources,
        outDir,
        typeRoots: [join(root, 'node_modules/@types')],
        ...compilerOptions,
      },
      files: globSync(entries, { cwd: sources }).map((file) => join(sources, file)),
      include: [],
    }),
  )
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' })
  rmSync(project)
  for (const file of globSync('**/*.{js,d.ts}', { cwd: outDir })) rewriteImports(outDir, file)
  copyOtherFiles(outDir)
}

const betweenPackages =
  /((?:from|import|import\(|import\.meta\.resolve\()\s*)(["'])(@vitrine\/[^"']+)\2/g
/** A file that is opened as a thread, of which the compiler knows nothing. */
const besideIt = /(new URL\((["'])\.[^"']*)\.ts\2/g

/** A relative import of a declaration, which the compiler leaves as it is. */
const declared = /((?:from|import\()\s*(["'])\.[^"']*)\.ts\2/g

function rewriteImports(outDir: string, file: string): void {
  const from = dirname(join(sources, file))
  const path = join(outDir, file)
  const code = readFileSync(path, 'utf8')
  const rewritten = code
    .replace(betweenPackages, (_, before: string, quote: string, name: string) => {
      const target = relative(from, resolve(name)).replaceAll(sep, '/').replace(/\.ts$/, '.js')
      return `${before}${quote}${target}${quote}`
    })
    .replace(besideIt, '$1.js$2')
    .replace(declared, '$1.js$2')
  if (rewritten !== code) writeFileSync(path, rewritten)
}

/** Copies what is not compiled from the `src` of every package that was written. */
function copyOtherFiles(outDir: string): void {
  const folders = globSync('*/src', { cwd: outDir })
  for (const file of globSync(
    folders.map((folder) => `${folder}/**/*.*`),
    { cwd: sources },
  )) {
    if (!/\.tsx?$/.test(file)) cpSync(join(sources, file), join(outDir, file))
  }
}
