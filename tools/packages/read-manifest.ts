import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.mjs'

export type Manifest = {
  name: string
  version: string
  description: string
  license: string
  dependencies?: Record<string, string>
  /** Those without which it runs, and does less. */
  optionalDependencies?: Record<string, string>
}

/** The `package.json` of a package of this workspace; its dependencies are those of others. */
export function readManifest(folder: string): Manifest {
  const text = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')
  const manifest = JSON.parse(text) as Manifest
  const dependencies = Object.entries(manifest.dependencies ?? {})
  return {
    ...manifest,
    dependencies: Object.fromEntries(
      dependencies.filter(([name]) => !name.startsWith('@vitrine/')),
    ),
  }
}
