import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { describeDatabase } from '../../describe-start.ts'
import { type ExistingStore, openExisting } from '../../store/open-existing.ts'
import { MissingDatabase, InvalidDatabase } from '../../store/invalid-database.ts'
import { type Diagnosis, ok, reasonOf, wrong } from './diagnosis.ts'

/** How long PostgreSQL may take to be there: it is asked for what is so now. */
const startingMs = 2000

/** Opens the database as it is, changes nothing, and says what a start would make of it. */
export async function diagnoseDatabase({
  database,
}: Config): Promise<{ line: Diagnosis; store?: ExistingStore }> {
  const where = describeDatabase(database)
  const setting =
    database.engine === 'sqlite'
      ? 'VITRINE_DATA_DIR or VITRINE_DATABASE_URL'
      : 'VITRINE_DATABASE_URL'
  const isWrong = (finding: string, how = 'name the database of this installation') => ({
    line: wrong('database', finding, `${setting}: ${how}`),
  })
  let store: ExistingStore
  try {
    store = await openExisting(database, { startingMs })
  } catch (error) {
    if (error instanceof MissingDatabase) {
      const folder = database.engine === 'sqlite' ? existingFolder(database.file) : undefined
      if (folder !== undefined && !(await mayWrite(folder))) {
        return isWrong(
          `${where}: this account may not write to ${folder}`,
          'let it, or name another',
        )
      }
      return { line: ok('database', `${where}: there is none yet, and the first start makes it`) }
    }
    const sentence = error instanceof InvalidDatabase ? error.message : `${reasonOf(error)}.`
    return isWrong(`${where}: ${sentence.replace(/\.$/, '')}`)
  }
  const fault = store.fault
  if (fault !== undefined) {
    await store.close()
    return isWrong(`${where}: it ${fault}`)
  }
  const writeFault = await store.findWriteFault()
  if (writeFault !== undefined) {
    return {
      ...isWrong(`${where}: ${writeFault}`, 'let this account write, or name another'),
      store,
    }
  }
  const schema = store.isCurrent
    ? `schema ${store.schema}`
    : `schema ${store.schema}, which the next start brings to its own`
  return { line: ok('database', `${where}, ${schema}`), store }
}

/** The nearest folder above a path that is there. */
export function existingFolder(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  return folder
}

export async function mayWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}
