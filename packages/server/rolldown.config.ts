import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

// `npm run build` writes the server, its threads and what they import as a few files: loading hundreds takes longer
// than all else that a start does, and twice the memory (docs/decisions/performance.md).

const sources = resolve(import.meta.dirname, 'src')

/** A file opened at run time: a thread, a process, or what is served. */
const fileUrl = /new URL\(\s*(['"])(\.[^'"]+)\1,\s*import\.meta\.url,?\s*\)/g

/** Gives each file that a module of ours opens by its URL a place of its own in the output. */
const openedFiles: Plugin = {
  name: 'opened-files',
  transform(code, id) {
    if (!id.startsWith(sources)) return undefined
    return code.replace(fileUrl, (_, _quote: string, path: string) => {
      const file = resolve(dirname(id), path)
      const name = basename(file, '.ts')
      const reference = path.endsWith('.ts')
        ? this.emitFile({ type: 'chunk', id: file, name })
        : this.emitFile({ type: 'asset', name, source: readFileSync(file) })
      return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
    })
  },
}

export default defineConfig({
  input: { main: 'src/main.ts', start: 'src/start.ts' },
  platform: 'node',
  // Packages that read files of their own by `__dirname`, or have native code.
  external: [/^pino$/, 'sharp', 'pg-native'],
  plugins: [openedFiles],
  checks: { eval: false },
  output: {
    // As deep as `src`, for paths from there to other packages.
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
})
