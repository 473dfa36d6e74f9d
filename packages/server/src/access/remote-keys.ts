import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalJWKSet, errors, type JSONWebKeySet } from 'jose'
import * as z from 'zod/mini'
import { Failure } from '../failure.ts'
import type { SigningKeys } from './signing-keys.ts'

export type RemoteKeys = SigningKeys & {
  /** Fetches the keys now; rejects with the reason when they cannot be had. */
  check: () => Promise<void>
  /** Whether there are keys that serve, from now or before. */
  areKnown: () => boolean
}

type KeySet = ReturnType<typeof createLocalJWKSet>
/** Lets so many milliseconds pass. */
type Wait = (milliseconds: number) => Promise<unknown>

/** In milliseconds. */
const times = {
  /** One fetch may take this long. */
  timeout: 5_000,
  /** Keys older than this are fetched again in the background. */
  refresh: 5 * 60_000,
  /** Tokens with an unknown key id cause at most one fetch in this time, in total. */
  cooldown: 2_000,
  /** Before the first success, and after a failure, the provider is asked again this often. */
  retry: 2_000,
  /** Without a success for this long the keys no longer serve: the provider may have revoked them. */
  trusted: 24 * 3_600_000,
}

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/**
 * The published keys of another OpenID provider, by its discovery document. They are fetched when the
 * first token comes, again in the background every few minutes, and when a token names a key that is
 * not among them, which is how a rotation goes unnoticed: that token waits rather than being refused.
 * While the provider is down the keys that were fetched keep serving.
 */
export function remoteKeys(
  issuer: string,
  { clock = Date.now, wait = sleep }: { clock?: () => number; wait?: Wait } = {},
): RemoteKeys {
  let keySet: { text: string; find: KeySet; fetchedAt: number } | undefined
  let generation = 0
  let pending: Promise<void> | undefined
  let failure: { cause: unknown; at: number } | undefined
  let soughtAt = -Infinity
  let seeking: Promise<void> | undefined

  function refresh(): Promise<void> {
    pending ??= fetchAgain().finally(() => {
      pending = undefined
    })
    return pending
  }

  async function fetchAgain(): Promise<void> {
    try {
      const keys = await fetchKeys(issuer)
      const text = JSON.stringify(keys)
      if (text !== keySet?.text) generation += 1
      keySet = { text, find: createLocalJWKSet(keys), fetchedAt: clock() }
      failure = undefined
    } catch (cause) {
      failure = { cause, at: clock() }
    }
  }

  function refreshDue(): boolean {
    const retryable = failure === undefined || clock() - failure.at >= times.retry
    return retryable && (keySet === undefined || clock() - keySet.fetchedAt >= times.refresh)
  }

  function trusted(): KeySet | undefined {
    return keySet !== undefined && clock() - keySet.fetchedAt < times.trusted
      ? keySet.find
      : undefined
  }

  async function trustedKeys(): Promise<KeySet> {
    const refreshed = refreshDue() ? refresh() : pending
    let keys = trusted()
    if (keys === undefined) {
      await refreshed
      keys = trusted()
    }
    if (keys === undefined) throw new Failure('PROVIDER_UNAVAILABLE', { cause: failure?.cause })
    return keys
  }

  /** Fetches the keys for tokens that name another one: one fetch for all that wait for it. */
  function seek(): Promise<void> {
    seeking ??= (async () => {
      await wait(Math.max(0, soughtAt + times.cooldown - clock()))
      soughtAt = clock()
      // Who comes from here on may know of a key that this fetch just missed.
      seeking = undefined
      await refresh()
    })()
    return seeking
  }

  return {
    generation: () => generation,
    check: async () => {
      await refresh()
      if (failure !== undefined) throw failure.cause
    },
    areKnown: () => trusted() !== undefined,
    find: async (header, token) => {
      try {
        return await (
          await trustedKeys()
        )(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      }
      await (pending ?? seek())
      try {
        return await (
          await trustedKeys()
        )(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Whether the provider signs with that key by now cannot be known.
        if (failure === undefined) throw error
        throw new Failure('PROVIDER_UNAVAILABLE', { cause: failure.cause })
      }
    },
  }
}

/** Returns the address of a provider's metadata (OpenID Connect Discovery 1.0 §4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/**
 * The published keys of a provider, by its discovery document.
 * @throws Error saying what is wrong with either
 */
async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
  const address = discoveryAddress(issuer)
  const document = expectShape(discovery, address, await fetchJson(address))
  // OpenID Connect Discovery 1.0 §4.3: to the letter, or another party's keys would be trusted.
  if (document.issuer !== issuer) {
    throw new Error(`${address} is of the issuer ${document.issuer}, not of ${issuer}`)
  }
  if (issuer.startsWith('https:') && !document.jwks_uri.startsWith('https:')) {
    throw new Error(`${address} names keys at an address that is not https`)
  }
  return expectShape(keySet, document.jwks_uri, await fetchJson(document.jwks_uri))
}

function expectShape<S extends z.ZodMiniType>(
  shape: S,
  address: string,
  value: unknown,
): z.output<S> {
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw new Error(`${address} is not what an OpenID provider serves there`)
  return parsed.data
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(times.timeout),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response.json()
}
