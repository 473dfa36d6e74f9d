import { type RecordedCheckpoint, toHex } from '@vitrine/contract'
import { Failure } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { claimRecording, listUnrecorded, noteRecorded } from '../store/recorded-checkpoints.ts'
import type { Store } from '../store/store.ts'
import type { CheckpointSigner } from './checkpoint-signer.ts'
import type { Logs } from './logs.ts'

/** Milliseconds after which checkpoints are recorded again. */
export const recordingMs = 60 * 60_000
/** Checkpoints of one entry of the audit log. */
const inEntry = 500

/**
 * Adds to the audit log the checkpoints of all repositories that have grown since, and holds the audit log itself to its
 * state. Does nothing where that was done less than `everyMs` ago, by whichever process.
 */
export async function recordCheckpoints(
  store: Store,
  { logs, signer }: { logs: Logs; signer: Pick<CheckpointSigner, 'checkpointOf'> },
  everyMs: number,
): Promise<void> {
  if (!(await claimRecording(store, everyMs))) return
  const names = await listUnrecorded(store.reads)
  for (let from = 0; from < names.length; from += inEntry) {
    const states: { id: number; generation: string; checkpoint: RecordedCheckpoint }[] = []
    for (const name of names.slice(from, from + inEntry)) {
      const state = await unlessUnsigned(() => stateOf(name))
      if (state !== undefined) states.push(state)
    }
    await store.write(async (transaction) => {
      const checkpoints: RecordedCheckpoint[] = []
      for (const { checkpoint, ...log } of states) {
        const { size } = checkpoint
        if (await noteRecorded(transaction, { ...log, size })) checkpoints.push(checkpoint)
      }
      if (checkpoints.length === 0) return
      await writeAudit(transaction, { what: 'checkpoints-recorded', details: { checkpoints } })
    })
  }
  await unlessUnsigned(async () => signer.checkpointOf(await logs.findAudit()))

  async function stateOf(name: string) {
    const state = await logs.find(name)
    const { origin, size, root } = await signer.checkpointOf(state)
    const { generation, repo } = state
    return { id: repo.id, generation, checkpoint: { origin, size, root: toHex(root) } }
  }
}

/** Resolves to undefined for a log that is gone, damaged or not signed, which is told of elsewhere. */
async function unlessUnsigned<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
