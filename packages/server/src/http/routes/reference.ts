import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { openapi } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'

/** Serves the reference of the API without sign-in: it reveals no data. */
export async function bindReference(
  app: FastifyInstance,
  server: { url: string; version: string },
): Promise<void> {
  const document = openapi(server)
  app.get('/api/openapi.json', async () => document)
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as unknown as StaticDocumentSpec['document'] },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { deepLinking: true, url: '/api/openapi.json' },
    // The reference draws its icons from data addresses and sets styles as it goes.
    staticCSP: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  })
}
