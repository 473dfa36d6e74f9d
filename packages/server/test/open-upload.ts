import { request, type ClientRequest } from 'node:http'
import type { TestServer } from './server.ts'

/** An upload of one value of `files` whose body is written by hand. */
export async function openUpload(
  server: Pick<TestServer, 'url' | 'issuer'>,
  { path, headers = {} }: { path: string; headers?: Record<string, string> },
): Promise<ClientRequest> {
  const token = await server.issuer.token()
  const upload = request(`${server.url}/api/repo/files/item/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain', ...headers },
  })
  upload.on('error', () => {})
  return upload
}

export async function replyTo(
  upload: ClientRequest,
): Promise<{ status: number | undefined; code: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let status: number | undefined
  upload.on('error', reject).on('response', (response) => {
    status = response.statusCode
    let text = ''
    response
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('end', () => resolve(text))
  })
  return { ...(JSON.parse(await promise) as { code: string }), status }
}
