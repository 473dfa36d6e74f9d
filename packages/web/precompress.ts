import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RsbuildPlugin } from '@rsbuild/core'

/** Not the page itself: it is small, and the server sends it with headers of its own. */
const compressed = /\.(?:js|css|svg|txt)$/

/**
 * Puts a `.br` and a `.gz` beside every text file of the build, once, at the highest level; a static
 * file server sends the one that the browser takes.
 */
export function precompress(): RsbuildPlugin {
  return {
    name: 'vitrine:precompress',
    setup(api) {
      api.onAfterBuild(async () => {
        const names = await readdir(api.context.distPath, { recursive: true })
        const files = names.filter((name) => compressed.test(name))
        await Promise.all(files.map((name) => compress(join(api.context.distPath, name))))
      })
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
