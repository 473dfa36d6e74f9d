import { toHex } from '@vitrine/contract'
import { ApiError } from '../call/api-error.ts'
import type { Client } from '../call/client.ts'
import { fetchItemProof } from './item-proof.ts'
import type { LogCheck } from './known-log.ts'
import { type LogVerifier, type LogVerifierOptions, beginLog } from './log-verifier.ts'
import { checkProof } from './verify-item.ts'

/** Members that are proven at once. */
const inFlight = 8

/**
 * Begins to prove the members of a view, each by the log of the repository that has it: that the log is signed
 * and goes on from the state that was verified before, and has each member with the digests that it has there.
 * That the view has the right members, and shows the right fields of them, no log says.
 * Undefined where the log itself cannot be read.
 * @param direct the fields of the view that show a field of the repository as it is, and which
 * @throws ApiError
 */
export async function openMemberVerifier(
  client: Client,
  { repo, direct }: { repo: string; direct: ReadonlyMap<string, string> },
  options: LogVerifierOptions,
): Promise<LogVerifier | undefined> {
  const { hash, signal, onDamage } = options
  const begun = await beginLog(client, repo, options)
  if (begun === undefined) return undefined
  const { size, root } = begun
  const running = new Set<Promise<void>>()
  let members = 0
  let different = 0
  let outside = 0
  let failure: unknown
  const prove = async (row: Record<string, unknown>) => {
    const itemId = Number(row['id'])
    const place = { datasetId: repo, itemId }
    const tell = (what: string) => onDamage({ item: itemId, what })
    try {
      const item = await client.datasetItemGet(place, { signal })
      const proof = await fetchItemProof(client, { ...place, size }, { signal })
      const { isEntry, root: proven } = await checkProof({
        item: { ...item, id: itemId },
        proof,
        size,
        hash,
      })
      const shown = [...direct].every(([field, own]) => {
        const digest = row[`${field}.sha256`] ?? undefined
        return digest === item.integrity?.[own]?.sha256
      })
      if (!isEntry || !shown) {
        different += 1
        tell('is not what its entry in the log says')
      }
      if (root === undefined || proven !== toHex(root)) {
        outside += 1
        tell('is not in the log')
      }
    } catch (error) {
      // What was added after the checkpoint is left to the next time.
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'LOG_RANGE_NOT_FOUND') return
      if (code !== 'DATASET_OR_ITEM_NOT_FOUND') throw error
      outside += 1
      tell(`is no item of ${repo}`)
    }
  }
  const outcome = (
    name: LogCheck['name'],
    failed: number,
    right: string,
    wrong: string,
  ): LogCheck =>
    failed === 0 ? { name, passed: true, text: right } : { name, passed: false, text: wrong }
  return {
    next: async (row) => {
      members += 1
      const proving: Promise<void> = prove(row)
        .catch((error: unknown) => (failure ??= error))
        .then(() => void running.delete(proving))
      running.add(proving)
      if (running.size >= inFlight) await Promise.race(running)
      if (failure !== undefined) throw failure
    },
    isDamaged: async () => {
      await Promise.all(running)
      return different > 0 || outside > 0 || !begun.isTrusted
    },
    end: async () => {
      await Promise.all(running)
      if (failure !== undefined) throw failure
      const all = members.toLocaleString('en')
      return {
        checks: [
          outcome(
            'entry',
            different,
            `The entry of each item in the log of ${repo} has its digests.`,
            `Entries in the log of ${repo} are of other values.`,
          ),
          outcome(
            'inclusion',
            outside,
            `The log of ${repo}, of ${size.toLocaleString('en')} entries, has each of ${all} items.`,
            `The log of ${repo} does not have every item.`,
          ),
          ...begun.checks,
        ],
        size,
        known: begun.known,
      }
    },
  }
}
