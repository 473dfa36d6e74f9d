import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { answering, examine, listen, start } from './examine.ts'
import { openInstallation } from './installation.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the public address', () => {
  test('is reported when another program answers there, it redirects, or it fails with 502', async () => {
    const { env } = await start()
    const other = await answering((_request, response) => response.end('{}'))
    const on = await answering((_request, response) =>
      response.writeHead(308, { location: 'https://vitrine.example/config.json' }).end(),
    )
    const broken = await answering((_request, response) => response.writeHead(502).end())
    const cases: [url: string, found: RegExp, change: RegExp][] = [
      [other, /is answered, but not by Vitrine/, /VITRINE_PUBLIC_URL/],
      [on, /leads on to https:\/\/vitrine\.example/, /say https:\/\/vitrine\.example/],
      [broken, /answers 502, while the server answers at/, /or the proxy/],
    ]
    for (const [host, found, change] of cases) {
      const { wrong } = await examine({ ...env, VITRINE_PUBLIC_URL: `http://${host}` })
      expect(wrong[0]).toMatchObject({
        subject: 'server',
        found: expect.stringMatching(found),
        change: expect.stringMatching(change),
      })
    }
  })

  test('is reported when it does not resolve, or differs from the one the server runs with', async () => {
    const { env } = await start()
    const unknown = await examine({ ...env, VITRINE_PUBLIC_URL: 'http://vitrine.invalid' })
    expect(unknown.wrong[0]).toMatchObject({ subject: 'server' })
    const { hostname, port } = new URL(`http://127.0.0.1:${env['VITRINE_PORT']}`)
    const own = await examine({ ...env, VITRINE_PUBLIC_URL: `http://${hostname}:${port}` })
    expect(own.wrong[0]).toMatchObject({
      subject: 'server',
      found: expect.stringMatching(/runs with VITRINE_PUBLIC_URL http:\/\/localhost:\d+, and here/),
      change: expect.stringMatching(/^VITRINE_PUBLIC_URL/),
    })
  })

  test('with another provider than the server has', async () => {
    const { env } = await start()
    const { server: other } = await start()
    const { wrong } = await examine({ ...env, VITRINE_OIDC_AUTHORITY: other.issuer.issuer })
    expect(wrong[0]).toMatchObject({
      found: expect.stringContaining('runs with VITRINE_OIDC_AUTHORITY'),
    })
  })

  test('behind a proxy on https that keeps headers to itself', async () => {
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout'.split(' '),
        join(folder, 'key'),
        '-out',
        join(folder, 'certificate'),
      ],
      { stdio: 'ignore' },
    )
    const certificate = {
      key: readFileSync(join(folder, 'key')),
      cert: readFileSync(join(folder, 'certificate')),
    }
    let changed: (headers: NodeJS.Dict<string | string[]>) => void = () => {}
    let port = 0
    const proxy = createServer(certificate, ({ url, method, headers }, response) => {
      changed(headers)
      request({ port, path: url, method, headers }, (reply) => {
        response.writeHead(reply.statusCode!, reply.headers)
        reply.pipe(response)
      }).end()
    })
    const host = await listen(proxy)
    const { env } = await start({ VITRINE_PUBLIC_URL: `https://${host}` })
    port = Number(env['VITRINE_PORT'])
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())

    const found = async () => (await examine(env)).wrong.map(({ found }) => found.split(',')[0])
    expect(await found()).toEqual(['X-Forwarded-For does not arrive'])
    changed = (headers) => (headers['x-forwarded-for'] = '192.0.2.1')
    expect(await found()).toEqual([])
    changed = (headers) => {
      headers['x-forwarded-for'] = '192.0.2.1'
      delete headers['authorization']
    }
    expect(await found()).toEqual(['Authorization does not arrive'])
  })
})

describe('the provider', () => {
  test('is reported when it is down, has another issuer, or its clock differs', async () => {
    const { server, env } = await start()
    const { issuer } = server
    issuer.up = false
    const down = await examine(env)
    expect(down.wrong.at(-1)).toMatchObject({
      subject: 'provider',
      found: expect.stringContaining('answered 503'),
      change: expect.stringMatching(/^VITRINE_OIDC_AUTHORITY/),
    })
    issuer.up = true

    const slash = await examine({ ...env, VITRINE_OIDC_AUTHORITY: `${issuer.issuer}/` })
    expect(slash.wrong.map(({ found }) => found)).toContainEqual(
      expect.stringMatching(/is of the issuer .*, not of/),
    )

    issuer.date = new Date(Date.now() + 3_600_000).toUTCString()
    // What the server found last it says for a minute.
    expect((await examine(env)).wrong.at(-1)).toMatchObject({
      subject: 'clock',
      found: expect.stringMatching(/^this machine is 3[56]\d\d s behind the provider$/),
      change: expect.stringContaining('NTP'),
    })
  })

  test('is reported when it refuses the scope, the client or the redirect address', async () => {
    const { server, env, refuse } = await start()
    refuse('invalid_scope')
    expect((await examine(env)).wrong).toMatchObject([
      { subject: 'provider', change: expect.stringMatching(/^VITRINE_OIDC_SCOPE/) },
    ])
    refuse('unauthorized_client')
    expect((await examine(env)).wrong[0]!.found).toMatch(/unauthorized_client/)

    // The built-in provider of another installation knows only that one's address.
    const other = await openInstallation()
    onTestFinished(() => other.close())
    const real = await fetch(`${other.url}/realms/local/.well-known/openid-configuration`)
    server.issuer.discovery = {
      ...((await real.json()) as object),
      issuer: server.issuer.issuer,
      jwks_uri: `${server.issuer.issuer}/keys`,
    }
    expect((await examine(env)).wrong).toMatchObject([
      {
        subject: 'provider',
        found: expect.stringMatching(/^answers 400 to the client vitrine that is to come back to/),
        change: expect.stringMatching(/VITRINE_OIDC_CLIENT_ID or VITRINE_PUBLIC_URL/),
      },
    ])

    server.issuer.discovery = {}
    expect((await examine(env)).wrong[0]!.found).toMatch(/names no authorization_endpoint/)
  })
})
