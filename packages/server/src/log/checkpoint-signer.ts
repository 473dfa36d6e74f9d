import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type JsonWebKey,
} from 'node:crypto'
import {
  checkpointText,
  makeVerifierKey,
  noteText,
  verifierKeyText,
  type VerifierKey,
} from '@vitrine/transparency-log'
import { addProviderKey, findProviderKey } from '../store/provider.ts'
import type { Store } from '../store/store.ts'
import type { LogState } from './repo-logs.ts'

/** Signs what the logs of an installation say of themselves (https://c2sp.org/signed-note). */
export type CheckpointSigner = {
  /** The key that verifies what is signed, as programs take it. */
  verifierKey: string
  /** Signs the size and the root of a repository's log. */
  sign: (log: { repo: string; size: number; root: Uint8Array }) => string
}

/** Under which the key is kept. */
const keyName = 'log'

/** The Ed25519 key of the installation, made when it is asked for the first time. */
export async function openCheckpointSigner(
  store: Store,
  publicUrl: string,
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
  const verifier: VerifierKey = await makeVerifierKey({ name: publicUrl, publicKey })
  return {
    verifierKey: verifierKeyText(verifier),
    sign: ({ repo, size, root }) => {
      const text = checkpointText({ origin: `${publicUrl}/repo/${repo}`, size, root })
      return noteText(text, verifier, sign(null, Buffer.from(text), privateKey))
    },
  }
}

const emptyTree = createHash('sha256').digest()

/** Signs the log of a repository up to an entry. */
export async function signLog(
  signer: CheckpointSigner,
  { repo, log, size }: LogState,
): Promise<string> {
  const root = size === 0 ? emptyTree : await log.hashOf({ from: 0, to: size })
  return signer.sign({ repo: repo.name, size, root })
}
