import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BucketClock, examineBucket } from '../../blobs/s3/examine-bucket.ts'
import { examineFolder } from '../../blobs/files/examine-folder.ts'
import { readFileBlobs } from '../../blobs/files/files.ts'
import { openBlobs } from '../../blobs/open-blobs.ts'
import { compareOwners } from '../../blobs/require-own-blobs.ts'
import { type Config, ConfigError } from '../../config.ts'
import { describeBlobs } from '../../describe-start.ts'
import type { ExistingStore } from '../../store/open-existing.ts'
import { existingFolder, mayWrite } from './diagnose-database.ts'
import { diagnoseLogs } from './diagnose-logs.ts'
import { type Diagnosis, ok, reasonOf, wrong } from './diagnosis.ts'

const setting = 'VITRINE_BLOB_URL'

/**
 * Does in the blob store what a server does there, compares whose its files are with the database's, and the logs with
 * what was signed of them.
 * @param store the database, where there is one
 */
export async function* diagnoseBlobs(
  config: Config,
  store: ExistingStore | undefined,
): AsyncGenerator<Diagnosis, BucketClock | undefined> {
  const { blobs: address } = config
  const where = describeBlobs(address)
  let clock: BucketClock | undefined
  try {
    if (address.engine === 'files') {
      const { folder } = address
      if (!existsSync(join(folder, 'tmp'))) {
        const above = existsSync(folder) ? folder : existingFolder(folder)
        if (!(await mayWrite(above))) {
          const finding = `${where}: this account may not write to ${above}`
          yield wrong('blobs', finding, `${setting} or VITRINE_DATA_DIR: let it, or name another`)
          return
        }
        if (!existsSync(folder)) {
          // A database that knows files says so.
          yield* await compare(config, store, where, noFiles)
          return
        }
      }
      await examineFolder(folder)
    } else clock = await examineBucket(address)
  } catch (error) {
    const isSentence = error instanceof ConfigError
    const problem = isSentence ? error.message : `${where} cannot be used: ${reasonOf(error)}`
    yield wrong('blobs', problem.replace(/\.$/, ''), `${setting}: name a store that can be used`)
    return
  }
  const files = address.engine === 'files' ? readFileBlobs(address.folder) : await openBlobs(config)
  const lines = await compare(config, store, where, files)
  yield* lines
  const fits = lines.every(({ status }) => status === 'ok')
  if (fits && store?.isCurrent === true) yield* diagnoseLogs(store, files.checkpoints)
  return clock
}

type Files = Parameters<typeof compareOwners>[0]['blobs']

/** A store that was never used. */
const noFiles: Files = {
  owner: {
    read: async () => undefined,
    claim: async (id) => id,
    replace: async () => {},
  },
  // oxlint-disable-next-line eslint/no-empty-function
  list: async function* () {},
}

async function compare(
  { blobs: address }: Config,
  store: ExistingStore | undefined,
  where: string,
  blobs: Files,
): Promise<Diagnosis[]> {
  if (store === undefined) {
    const owner = await blobs.owner.read()
    if (owner === undefined) return [ok('blobs', `${where} can be used; no start has used it yet`)]
    const finding = `${where} is of installation ${owner}, and there is no database of it`
    return [
      wrong('blobs', finding, `VITRINE_DATABASE_URL, or ${setting}: name both of one installation`),
    ]
  }
  // Before this version they were of nobody.
  if (!store.isCurrent) return [ok('blobs', `${where} can be used`)]
  try {
    const owner = await compareOwners({ db: store.reads, blobs }, address)
    const whose =
      owner === undefined ? 'no installation yet' : `installation ${owner}, as the database is`
    return [ok('blobs', `${where} can be used, and is of ${whose}`)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [wrong('blobs', error.message, `VITRINE_DATABASE_URL or ${setting}`)]
  }
}
