import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, type Client } from '@vitrine/client'
import { errors, type ErrorCode } from '@vitrine/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { repoKind } from '../src/describe/description-kind.ts'
import { DescriptionRefused, submitDescription } from '../src/describe/submit-description.ts'

const text = '---\nname: books\nschema:\n  - { name: by, type: reference, target: nowhere }\n'

let server: Server | undefined
afterEach(() => server?.close())

/** A client of a server that answers everything so; what it was sent is in `bodies`. */
async function answering(status: number, body: object | string) {
  const bodies: unknown[] = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => undefined })
  return { client, bodies }
}

function refusal(code: ErrorCode, more: object = {}) {
  const { status, message } = errors[code]
  return [status, { code, message, ...more }] as const
}

async function refused(client: Client, description: string): Promise<DescriptionRefused> {
  const error: unknown = await submitDescription(repoKind, client, description).catch(
    (reason: unknown) => reason,
  )
  if (error instanceof DescriptionRefused) return error
  throw new Error('it was not refused', { cause: error })
}

describe('submitting a description', () => {
  test('sends what it says as JSON', async () => {
    const info = {
      name: 'books',
      createdAt: '2026-01-01T00:00:00.000Z',
      schema: [],
      referencesTo: [],
      referencedBy: [],
    }
    const { client, bodies } = await answering(201, info)
    expect(await submitDescription(repoKind, client, text)).toBe('books')
    expect(bodies).toEqual([
      { name: 'books', schema: [{ name: 'by', type: 'reference', target: 'nowhere' }] },
    ])
  })

  test.each(['', 'null', '<html>', '{}'])(
    'asks nothing of a success but its status: %j',
    async (body) => {
      const { client } = await answering(201, body)
      expect(await submitDescription(repoKind, client, text)).toBe('books')
    },
  )

  test('refuses invalid YAML with line and column, without a request', async () => {
    const { client, bodies } = await answering(500, {})
    const { problems } = await refused(client, 'name: a\nname: b\nschema: []')
    expect(problems[0]).toMatch(/^Line 2, column 1: /)
    expect(bodies).toEqual([])
  })

  test('reports problems found by the server with line and column', async () => {
    const { client } = await answering(
      ...refusal('REQUEST_INVALID', {
        details: { problems: [{ path: ['schema', 0, 'target'], reason: 'no such dataset' }] },
      }),
    )
    const { message, problems, taken } = await refused(client, text)
    expect(message).toBe('got incorrect data in request')
    expect(problems).toEqual(['Line 4, column 42: no such dataset'])
    expect(taken).toBeUndefined()
  })

  test('a name that is taken comes with what was entered and what exists', async () => {
    const { client } = await answering(...refusal('REPO_NAME_TAKEN', { schema: [] }))
    const { taken } = await refused(client, text)
    expect(taken).toMatchObject({ name: 'books', entered: { name: 'books' } })
    expect(taken?.error.body).toMatchObject({ code: 'REPO_NAME_TAKEN', schema: [] })
  })

  test('a server that is not there is said to be so', async () => {
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      token: () => undefined,
      retries: 0,
    })
    expect((await refused(client, text)).message).toBe('The server could not be reached')
  })
})
