import type { FastifyInstance, FastifyReply } from 'fastify'
import { providerPolicy } from './pages/page.ts'
import { passwordLengthMax } from './passwords.ts'

const bytesMax = 8 * 1024

/** Makes routes take forms and answer with pages that nobody keeps. */
export function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bytesMax },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'content-security-policy': providerPolicy() })
  })
}

/** A password as it was typed; of one that is too long, enough to tell. */
export function passwordIn(form: URLSearchParams, field: string): string {
  return (form.get(field) ?? '').slice(0, passwordLengthMax + 1)
}

export function show(reply: FastifyReply, page: string) {
  return reply.type('text/html; charset=utf-8').send(page)
}
