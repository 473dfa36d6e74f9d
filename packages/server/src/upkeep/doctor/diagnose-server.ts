import { type RuntimeConfig, runtimeConfig } from '@vitrine/contract'
import * as z from 'zod/mini'
import { localIssuer } from '../../access/provider/clients.ts'
import type { Config } from '../../config.ts'
import { type Diagnosis, ok, reasonOf, skipped, wrong } from './diagnosis.ts'

/** In milliseconds: one request may take this long. */
const timeoutMs = 10_000

/** Returns the public URL; undefined where only the server knows its port. */
export function publicUrlOf({ publicUrl, port }: Config): string | undefined {
  return publicUrl ?? (port === 0 ? undefined : `http://localhost:${port}`)
}

/**
 * Asks the public address as a browser does: whether this server answers there, with these settings, and
 * what of a request arrives.
 * @returns whether the server that is meant answers there
 */
export async function* diagnoseServer(config: Config): AsyncGenerator<Diagnosis, boolean> {
  const url = publicUrlOf(config)
  if (url === undefined) {
    yield skipped('server', 'VITRINE_PORT is 0, so its address is not known')
    return false
  }
  const address = `${url}/config.json`
  const response = await ask(address)
  if (response instanceof Error || response.status !== 200) {
    yield await explainSilence(config, url, response)
    return false
  }
  const announced = runtimeConfig.safeParse(await response.json().catch(() => undefined))
  if (!announced.success) {
    yield wrong(
      'server',
      `${address} is answered, but not by Vitrine`,
      'VITRINE_PUBLIC_URL, or the proxy: let this address lead to Vitrine',
    )
    return false
  }
  const differences = differencesOf(announced.data, config, url)
  if (differences.length > 0) {
    yield* differences
    return false
  }
  yield* await diagnoseReadiness(url)
  yield* await diagnoseHeaders(url)
  return true
}

type Answer = Response | Error

/** Says why nothing of Vitrine answers: it may not run, or the way to it is wrong. */
async function explainSilence(config: Config, url: string, response: Answer): Promise<Diagnosis> {
  const finding =
    response instanceof Error
      ? `${url} does not answer (${reasonOf(response)})`
      : `${url} answers ${response.status}`
  const location = response instanceof Error ? null : response.headers.get('location')
  if (location !== null) {
    const where = URL.canParse(location, url) ? new URL(location, url).origin : location
    return wrong('server', `${url} leads on to ${where}`, `VITRINE_PUBLIC_URL: say ${where}`)
  }
  const own = `http://${loopbackOf(config.host)}:${config.port}`
  const direct = own === url ? undefined : await ask(`${own}/healthz`)
  if (direct instanceof Response && direct.ok) {
    return wrong(
      'server',
      `${finding}, while the server answers at ${own}`,
      'VITRINE_PUBLIC_URL, or the proxy: let this address lead to the server',
    )
  }
  if (response instanceof Error && !isSilence(response)) {
    return wrong('server', finding, 'VITRINE_PUBLIC_URL: say the address that people use')
  }
  return skipped('server', `${finding}: the server does not run, or is not to be reached from here`)
}

/** Whether the failure is transient (refused, timed out), unlike an unknown host or a bad certificate. */
function isSilence(error: Error): boolean {
  const { code } = Object(error.cause) as { code?: string }
  const silent = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_SOCKET']
  return error.name === 'TimeoutError' || silent.includes(code ?? '')
}

/** A server that listens on every address is asked at that of this machine. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Compares the configuration that the server announces with these settings. */
function differencesOf(announced: RuntimeConfig, config: Config, url: string): Diagnosis[] {
  const { clientId, scope, authority } = config.oidc
  const compared: [setting: string, announced: string | undefined, meant: string][] = [
    ['VITRINE_PUBLIC_URL', announced.apiBaseUrl.replace(/\/+$/, ''), url],
    ['VITRINE_OIDC_AUTHORITY', announced.authority, authority ?? localIssuer(url)],
    ['VITRINE_OIDC_CLIENT_ID', announced.clientId, clientId],
    ['VITRINE_OIDC_SCOPE', announced.scope, scope],
  ]
  const different = compared.filter(([, announced, meant]) => announced !== meant)
  // The issuer of the built-in provider follows the public address.
  const shown = authority === undefined && different[0]?.[0] === 'VITRINE_PUBLIC_URL' ? 1 : Infinity
  return different
    .slice(0, shown)
    .map(([setting, announced, meant]) =>
      wrong(
        'server',
        `the server at ${url} runs with ${setting} ${announced ?? 'unset'}, and here it is ${meant}`,
        `${setting}: set the same for the server and this command, and start the server again`,
      ),
    )
}

const readiness = z.object({
  database: z.enum(['up', 'down']),
  blobs: z.enum(['up', 'down']),
  provider: z.enum(['up', 'down']),
})

async function diagnoseReadiness(url: string): Promise<Diagnosis[]> {
  const response = await ask(`${url}/readyz`)
  const body: unknown =
    response instanceof Error ? undefined : await response.json().catch(() => {})
  const parts = readiness.safeParse(body)
  const down = parts.success
    ? Object.entries(parts.data).flatMap(([part, state]) => (state === 'down' ? [part] : []))
    : []
  if (down.length === 0) return [ok('server', `answers at ${url}, with these settings`)]
  const finding = `answers at ${url}, and said at its last check that it has no ${down.join(' and no ')}`
  return [wrong('server', finding, 'the lines above and below say why; its log does, too')]
}

const seen = z.object({ headers: z.array(z.string()) })

/** Asks which headers of a request arrive. */
async function diagnoseHeaders(url: string): Promise<Diagnosis[]> {
  const response = await ask(`${url}/proxyz`, { authorization: 'Bearer vitrine-doctor' })
  const body: unknown =
    response instanceof Error ? undefined : await response.json().catch(() => {})
  const answered = seen.safeParse(body)
  if (!answered.success) {
    return [skipped('proxy', 'the server is of an older version, and does not say what arrives')]
  }
  const { headers } = answered.data
  const lines: Diagnosis[] = []
  if (!headers.includes('authorization')) {
    const finding = 'Authorization does not arrive, so that nobody is signed in'
    lines.push(wrong('proxy', finding, 'the proxy: let it pass the header Authorization on'))
  }
  if (url.startsWith('https:') && !headers.includes('x-forwarded-for')) {
    lines.push(
      wrong(
        'proxy',
        'X-Forwarded-For does not arrive, so that all people share one throttle of sign-ins',
        'the proxy: let it set X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for)',
      ),
    )
  }
  const forwarded = headers.filter((name) => name.startsWith('x-forwarded-'))
  const arrives =
    forwarded.length === 0 ? '; no proxy says X-Forwarded-…' : `, and ${forwarded.join(', ')}`
  return lines.length > 0 ? lines : [ok('proxy', `Authorization arrives${arrives}`)]
}

async function ask(address: string, headers: Record<string, string> = {}): Promise<Answer> {
  try {
    return await fetch(address, {
      redirect: 'manual',
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    return error as Error
  }
}
