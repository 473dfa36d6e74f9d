import { expect } from 'vitest'
import { rawRequest } from './raw-request.ts'

/** How a 401 says that one may identify oneself; `fetch` would say that it is a browser's. */
export async function challenge(url: string, headers: Record<string, string>): Promise<string> {
  const reply = await rawRequest(url, { path: '/api/dataset', headers })
  expect(reply.status).toBe(401)
  return reply.headers['www-authenticate'] ?? ''
}
