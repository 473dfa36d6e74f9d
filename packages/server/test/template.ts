import { createHash } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addAccount } from '../src/access/provider/accounts.ts'
import { providerSecrets } from '../src/access/provider/provider-secrets.ts'
import { openStore, type DatabaseAddress } from '../src/store/store.ts'
import { admin } from './admin.ts'
import './cheap-passwords.ts'

/** Content of a new database: all tables, or beside them what the provider's first start adds. */
export type Content = 'tables' | 'account'

const src = join(import.meta.dirname, '../src')
const folder = join(import.meta.dirname, '../../../.cache/test-databases')

/** Differs for each content, and whenever the server's sources do. */
export function templateName(content: Content): string {
  const hash = createHash('sha256')
  for (const source of globSync('**/*.ts', { cwd: src }).toSorted()) {
    hash.update(readFileSync(join(src, source)))
  }
  return `vitrine_template_${content}_${hash.digest('hex').slice(0, 16)}`
}

/** Makes a new database what its copies are to be. */
export async function fillTemplate(database: DatabaseAddress, content: Content): Promise<void> {
  const store = await openStore({ database })
  if (content === 'account') {
    await addAccount(store, admin)
    await providerSecrets(store)
  }
  await store.close()
}

const templates = new Map<Content, Promise<Buffer>>()

/** The file of a SQLite database. */
export function sqliteTemplate(content: Content): Promise<Buffer> {
  const known = templates.get(content) ?? readSqliteTemplate(content)
  templates.set(content, known)
  return known
}

/** Kept from one run to the next, as a database takes longer to make than a short test. */
async function readSqliteTemplate(content: Content): Promise<Buffer> {
  const kept = join(folder, `${templateName(content)}.db`)
  mkdirSync(folder, { recursive: true })
  try {
    return readFileSync(kept)
  } catch {
    const made = mkdtempSync(join(folder, 'made-'))
    try {
      const file = join(made, 'vitrine.db')
      await fillTemplate({ engine: 'sqlite', file }, content)
      const bytes = readFileSync(file)
      const name = basename(kept)
      for (const old of globSync(`vitrine_template_${content}_*`, { cwd: folder })) {
        // Another process may have made the same one meanwhile, and be about to read it.
        if (old !== name) rmSync(join(folder, old), { force: true })
      }
      renameSync(file, kept)
      return bytes
    } finally {
      rmSync(made, { recursive: true })
    }
  }
}
