import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type JsonWebKey,
} from 'node:crypto'
import { auditLogOrigin, installationLog, repoLogOrigin } from '@vitrine/contract'
import {
  type Checkpoint,
  checkpointText,
  makeVerifierKey,
  noteText,
  verifierKeyText,
} from '@vitrine/transparency-log'
import { addProviderKey, findProviderKey } from '../store/provider.ts'
import type { Store } from '../store/store.ts'
import type { LogState } from './logs.ts'
import type { CheckpointGuard } from './checkpoint-guard.ts'

/** Signs what the logs of an installation say of themselves (https://c2sp.org/signed-note). */
export type CheckpointSigner = {
  /** The key of the installation, as programs take it. */
  verifierKey: string
  /** Returns the key by which checkpoints of a log are verified: the same one under the origin of the log. */
  verifierKeyOf: (log: Origin) => Promise<string>
  /**
   * Returns the size and the root of a log, which is held to them from then on.
   * @throws Failure LOG_NOT_SIGNED
   */
  checkpointOf: (state: LogState) => Promise<Checkpoint>
  /**
   * Signs the size and the root of a log.
   * @throws Failure LOG_NOT_SIGNED
   */
  sign: (state: LogState) => Promise<string>
}

/** Parts of a log's origin. */
type Origin = Pick<LogState, 'generation' | 'repo'>

/** Under which the key is kept. */
const keyName = 'log'

/** The Ed25519 key of the installation, made when it is asked for the first time. */
export async function openCheckpointSigner(
  store: Store,
  { publicUrl, guard }: { publicUrl: string; guard: CheckpointGuard },
): Promise<CheckpointSigner> {
  if ((await findProviderKey(store.reads, keyName)) === undefined) {
    const { privateKey } = generateKeyPairSync('ed25519')
    const value = JSON.stringify(privateKey.export({ format: 'jwk' }))
    await store.write((transaction) => addProviderKey(transaction, { name: keyName, value }))
  }
  const key = JSON.parse((await findProviderKey(store.reads, keyName))!) as JsonWebKey
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicKey = new Uint8Array(Buffer.from(x!, 'base64url'))
  const installation = installationLog(publicUrl)
  const keyOf = (origin: string) => makeVerifierKey({ name: origin, publicKey })
  const originOf = ({ repo, generation }: Origin) =>
    repo === undefined
      ? auditLogOrigin({ installation, generation })
      : repoLogOrigin({ installation, name: repo.name, generation })
  const checkpointOf = async (state: LogState): Promise<Checkpoint> => {
    const { log, size } = state
    const root = await log.rootOf(size)
    await guard.advance(state, root)
    return { origin: originOf(state), size, root }
  }
  const verifierKey = verifierKeyText(await keyOf(installation))
  return {
    verifierKey,
    verifierKeyOf: async (log) => verifierKeyText(await keyOf(originOf(log))),
    checkpointOf,
    sign: async (state) => {
      const checkpoint = await checkpointOf(state)
      const text = checkpointText(checkpoint)
      const key = await keyOf(checkpoint.origin)
      return noteText(text, key, sign(null, Buffer.from(text), privateKey))
    },
  }
}
