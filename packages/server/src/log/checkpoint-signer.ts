import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type JsonWebKey,
} from 'node:crypto'
import { type RepoLog, installationLog, repoLogOrigin } from '@vitrine/contract'
import {
  checkpointText,
  makeVerifierKey,
  noteText,
  verifierKeyText,
} from '@vitrine/transparency-log'
import { addProviderKey, findProviderKey } from '../store/provider.ts'
import type { Store } from '../store/store.ts'
import type { LogState } from './repo-logs.ts'
import type { CheckpointGuard } from './checkpoint-guard.ts'

/** Signs what the logs of an installation say of themselves (https://c2sp.org/signed-note). */
export type CheckpointSigner = {
  /** The key of the installation, as programs take it. */
  verifierKey: string
  /** Returns the key by which checkpoints of a repository's log are verified: the same one under the origin of the log. */
  verifierKeyOf: (repo: Repo) => Promise<string>
  /**
   * Signs the size and the root of a repository's log.
   * @throws Failure LOG_NOT_SIGNED
   */
  sign: (state: LogState) => Promise<string>
}

type Repo = Omit<RepoLog, 'installation'>

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
  const originOf = (repo: Repo) => repoLogOrigin({ installation, ...repo })
  const verifierKey = verifierKeyText(await keyOf(installation))
  return {
    verifierKey,
    verifierKeyOf: async (repo) => verifierKeyText(await keyOf(originOf(repo))),
    sign: async (state) => {
      const { repo, log, size } = state
      const root = await log.rootOf(size)
      await guard.advance(state, root)
      const origin = originOf(repo)
      const text = checkpointText({ origin, size, root })
      return noteText(text, await keyOf(origin), sign(null, Buffer.from(text), privateKey))
    },
  }
}
