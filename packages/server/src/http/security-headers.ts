import type { FastifyInstance } from 'fastify'

/** Addresses of what is no page, and of no script: that of a worker would be bound by its policy. */
const data = /^\/(?:api\/|config\.json|metrics|healthz|readyz)/
/** Policy of data that is opened as a page. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"
/** Policy of all other replies, unless their route has another: it binds no worker to anything. */
const otherPolicy = "frame-ancestors 'self'"
/** Policy of values that people sent, and of pictures made of them. */
export const valuePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Headers of every reply, whatever it is. */
export function addSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
  app.addHook('onRequest', (request, reply, done) => {
    const policy = data.test(request.url) ? dataPolicy : otherPolicy
    reply.headers(headers).headers({
      'x-request-id': request.id,
      'content-security-policy': policy,
    })
    done()
  })
}

/**
 * The policy of the app's own pages. `wasm-unsafe-eval` is for hashing in a worker, inline styles are
 * the widget kit's; `frame-ancestors` lets the app renew its sign-in in a hidden frame of its own.
 * Never `upgrade-insecure-requests`: over plain http it would leave a blank page.
 */
export function pagePolicy({ authority, apiUrl }: { authority: string; apiUrl: string }): string {
  const provider = new URL(authority).origin
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    // Sound and films are shown from memory.
    'media-src blob:',
    "font-src 'self'",
    `connect-src 'self' ${provider} ${new URL(apiUrl).origin}`,
    `frame-src 'self' ${provider}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action 'self' ${provider}`,
    "frame-ancestors 'self'",
  ].join('; ')
}
