import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { openapi } from '@vitrine/contract'

/** The folder of Swagger UI. The plugin that the package is otherwise loads a library for YAML at each start. */
const folder = dirname(
  fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css')),
)

const files = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js']

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API of Vitrine</title>
    <link rel="stylesheet" href="/api/docs/static/swagger-ui.css" />
    <link rel="stylesheet" href="/api/docs/static/index.css" />
    <link rel="icon" type="image/svg+xml" href="/logo.svg" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/api/docs/static/swagger-ui-bundle.js"></script>
    <script src="/api/docs/static/reference.js"></script>
  </body>
</html>
`

const script = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#reference', deepLinking: true })
`

/** Swagger UI draws its icons from data addresses and sets styles as it goes. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the reference of the API without sign-in: it reveals no data. */
export async function serveReference(
  app: FastifyInstance,
  server: { url: string; version: string },
): Promise<void> {
  let document: string | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openapi(server))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  for (const url of ['/api/docs', '/api/docs/']) {
    app.get(url, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
    )
  }
  app.get('/api/docs/static/reference.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/api/docs/static/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => files.includes(path.slice(1)),
  })
}
