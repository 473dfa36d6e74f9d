import {
  type Call,
  type CallName,
  type DatasetState,
  allows,
  api,
  needsAllDatasets,
  parseState,
} from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorizationHeader } from '../access/bearer.ts'
import { type CallAccess, isBasic } from '../access/call-access.ts'
import type { Identity } from '../access/identity.ts'
import type { Roles } from '../access/roles.ts'
import { fail } from '../failure.ts'
import { sendFailure } from './errors.ts'
import { checkingCalls, withoutNul } from './route.ts'

/** Parameter of a call about a dataset that is not there for whoever makes it: no dataset has this name. */
const noName = ''

/**
 * Puts a lock on every route of an instance: whoever asks is known before any body is read, and before
 * it is told whether a route exists. The lock is on the routes, not on a reading of the address, so no
 * spelling of an address goes around it.
 */
export function protectApi(
  app: FastifyInstance,
  access: CallAccess,
  {
    offersBasic,
    roles,
    onCaller = () => {},
  }: {
    offersBasic: boolean
    roles: Pick<Roles, 'presume' | 'require' | 'visibilityOf'>
    /** Called at every call of somebody who is signed in. */
    onCaller?: (identity: Identity) => void
  },
): void {
  app.decorateRequest('identity', null as unknown as Identity)
  app.decorateRequest('visibility', 'all')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const authorization = authorizationHeader(request.raw.rawHeaders)
    request.offersBasic = offersBasic && mayAskForPassword(request, authorization)
    const { call } = request.routeOptions.config
    const link = call === undefined ? undefined : takeLink(request, api[call])
    const { identity, scope, at } = await access(authorization, link)
    // Before any refusal, as the log names who is refused.
    request.identity = identity
    request.visibility = roles.visibilityOf(identity)
    request.link = link
    onCaller(identity)
    const needed = call === undefined ? 'read' : api[call].scope
    if (!allows(scope, needed)) throw fail('SCOPE_INSUFFICIENT', { scope: needed })
    if (call !== undefined) {
      if (identity.datasets !== undefined && needsAllDatasets(api[call]))
        throw fail('TOKEN_LIMITED')
      const params = withoutNul(request.params as Record<string, string>)
      request.params = params
      const { datasetId = noName } = params
      const state = parseState(datasetId) ?? { name: datasetId }
      const isThere =
        (at === undefined || isAt(at, state, request)) &&
        (await mayPass(call, state.name, { request, roles }))
      // What somebody may not read takes the very way of what is not there, and so the same time.
      if (!isThere) request.params = { ...params, datasetId: noName }
    }
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') throw fail('MEDIA_TYPE_UNSUPPORTED')
  })
  // Bodies are read by the calls themselves, each in its own way.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const url of ['/', '/*']) refuseUnknown(app, url)
}

/**
 * Checks the permission for a call, or leaves it to the handler where the caller had it before.
 * @returns false where there is no dataset of this name that they may read
 */
async function mayPass(
  call: CallName,
  name: string,
  { request, roles }: { request: FastifyRequest; roles: Pick<Roles, 'presume' | 'require'> },
): Promise<boolean> {
  const { role } = api[call]
  if (checkingCalls.has(call) && role === 'reader') {
    request.permission = roles.presume(request.identity, role, name)
    if (request.permission !== undefined) return true
  }
  return roles.require(request.identity, role, name)
}

/**
 * Whether a 401 may offer Basic. A browser would ask its user for a name and a password, over a page that has a
 * sign-in of its own. Browsers say `Sec-Fetch-Mode` only where the connection is secure, and their name everywhere.
 */
function mayAskForPassword(
  { headers }: FastifyRequest,
  authorization: string | undefined,
): boolean {
  if (authorization !== undefined) return isBasic(authorization)
  const isBrowser =
    headers['sec-fetch-mode'] !== undefined ||
    headers['user-agent']?.startsWith('Mozilla/') === true
  return !isBrowser
}

/**
 * Takes the text of a signed link out of the query of a call that takes one: the call itself knows no such parameter.
 * @returns an empty text for a parameter that is repeated
 */
function takeLink(request: FastifyRequest, { takesLink }: Call): string | undefined {
  const { link, ...query } = request.query as Record<string, unknown>
  if (takesLink !== true || link === undefined) return undefined
  request.query = query
  return typeof link === 'string' ? link : ''
}

/** Whether a call is about one state, which it names in its path or its query. */
function isAt(at: number, state: DatasetState, request: FastifyRequest): boolean {
  const query = (request.query as Record<string, unknown>)['at']
  if (state.at !== undefined) return state.at === at && query === undefined
  return query === String(at)
}

/** Refuses an address that no route can read; below `/api`, whoever asks is known before that, too. */
export async function refuseUnreadable(
  error: Error,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  access: CallAccess,
): Promise<void> {
  try {
    if (request.url.startsWith('/api/')) {
      await access(authorizationHeader(request.raw.rawHeaders))
    }
    sendFailure(error, request, reply)
  } catch (refusal) {
    sendFailure(refusal, request, reply)
  }
}

/** A route of its own, as the one of the app's pages would take what no other route does. */
function refuseUnknown(app: FastifyInstance, url: string): void {
  app.route({ method: app.supportedMethods, url, onRequest: refuse, handler: refuse })
}

async function refuse(): Promise<never> {
  throw fail('ROUTE_NOT_FOUND')
}

/** How long a client may go on sending after its request was answered. */
const lingerMs = 5000

/**
 * Takes in and drops what a client still sends after a reply that came early, for a while. Closing at
 * once would reset the connection, and the client might never read the reply (RFC 9112 §9.6).
 */
export function closeLateAfterEarlyReplies(app: FastifyInstance): void {
  app.addHook('onResponse', ({ raw: request }, _reply, done) => {
    if (!request.complete) {
      request.resume()
      const timer = setTimeout(() => request.destroy(), lingerMs)
      request.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
