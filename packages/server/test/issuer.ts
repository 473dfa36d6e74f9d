import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

type Claims = Record<string, unknown>
type KeyPair = { publicKey: CryptoKey; privateKey: CryptoKey }

/** In seconds: no test outlives its tokens, however slow the machine. */
const day = 86_400

/** An OpenID provider as far as an API sees one: a discovery document, published keys, tokens. */
export type Issuer = {
  issuer: string
  clientId: string
  audience: string
  /** An access token for a day; what is given replaces or, as undefined, removes a default. */
  token: (claims?: Claims, header?: Claims) => Promise<string>
  /** Signs with new keys from now on, and publishes them beside the old ones. */
  rotate: () => Promise<void>
  /** The keys as published; tests may change them. */
  published: JWK[]
  key: () => KeyPair & { kid: string }
  /** Whether it answers. */
  up: boolean
  /** Paths that were asked for. */
  requests: string[]
  /** Claims of the discovery document that are to differ. */
  discovery: Claims
  /** Date header, when it is to differ. */
  date: string | undefined
  close: () => Promise<void>
}

/** Starts an issuer on a free port. Its tokens are made out to the subject `alice`. */
export async function startIssuer({ alg = 'ES256', path = '/realms/test' } = {}): Promise<Issuer> {
  const requests: string[] = []
  const published: JWK[] = []
  let keyCount = 0
  let current: KeyPair & { kid: string }

  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const bodies: Record<string, () => unknown> = {
      [`${path}/.well-known/openid-configuration`]: () => ({
        issuer: made.issuer,
        jwks_uri: `${made.issuer}/keys`,
        ...made.discovery,
      }),
      [`${path}/keys`]: () => ({ keys: published }),
    }
    const body = made.up ? bodies[request.url ?? ''] : undefined
    if (made.date !== undefined) response.setHeader('date', made.date)
    response.writeHead(body === undefined ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body?.() ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

  const made: Issuer = {
    issuer,
    clientId: 'vitrine',
    audience: 'vitrine-api',
    token: (claims = {}, header = {}) => {
      const seconds = Math.floor(Date.now() / 1000)
      const payload = {
        iss: issuer,
        sub: 'alice',
        aud: made.audience,
        client_id: made.clientId,
        scope: 'openid',
        iat: seconds,
        exp: seconds + day,
        ...claims,
      }
      return new SignJWT(payload)
        .setProtectedHeader({ alg, kid: current.kid, typ: 'at+jwt', ...header })
        .sign(current.privateKey)
    },
    rotate: async () => {
      keyCount += 1
      const kid = `key-${keyCount}`
      current = { ...(await generateKeyPair(alg, { extractable: true })), kid }
      published.push({ ...(await exportJWK(current.publicKey)), kid, alg, use: 'sig' })
    },
    published,
    key: () => current,
    up: true,
    requests,
    discovery: {},
    date: undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await made.rotate()
  return made
}
