import * as z from 'zod/mini'
import { api } from './api.ts'
import { type Call, everyCallErrors } from './call.ts'
import { type ErrorCode, errorBody, errors } from './errors.ts'
import type { CallRole } from './role.ts'
import type { CallScope } from './token.ts'

type Json = Record<string, unknown>

/** Paths of the document: alike for all servers of a process, and slower to make than the rest of a start. */
let paths: Record<string, Json> | undefined

/** The OpenAPI 3.1 document of the API, derived from the table of calls. */
export function openapi(server: { url: string; version: string }): Json {
  paths ??= everyPath()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version: server.version,
      description: 'Manage curated datasets: repositories, views and their items.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server.url }],
    security: [{ bearer: [] }, { basic: [] }],
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A JWT of the identity provider, or a personal access token.',
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'A personal access token as the password, with any name.',
        },
      },
      schemas: { Error: jsonSchema(errorBody, 'output') },
    },
    paths,
  }
}

function everyPath(): Record<string, Json> {
  const made: Record<string, Json> = {}
  for (const [name, call] of Object.entries<Call>(api)) {
    const path = call.path.replace('...}', '}')
    made[path] = { ...made[path], [call.method.toLowerCase()]: operation(name, call) }
  }
  return made
}

function operation(operationId: string, call: Call): Json {
  return {
    operationId,
    summary: call.summary,
    description: [
      scopeTexts[call.scope],
      ...roleTexts(call.role),
      ...(call.takesLink ? ['A signed link to the dataset will do as well.'] : []),
    ].join(' '),
    tags: [call.path.split('/')[2]],
    parameters: [
      ...parameters(call.params, 'path'),
      ...parameters(call.query, 'query'),
      ...(call.takesLink ? [linkParameter] : []),
    ],
    ...(call.body !== undefined && {
      requestBody: { required: true, content: content(call.body) },
    }),
    responses: {
      [call.status]: success('Success', call),
      ...(call.repeatStatus && { [call.repeatStatus]: success('It was there already', call) }),
      ...errorResponses(call),
    },
  }
}

const scopeTexts: Record<CallScope, string> = {
  read: 'A personal access token needs the scope `read`.',
  add: 'A personal access token needs the scope `add` or `deposit`.',
  manage: 'A personal access token needs the scope `manage`.',
  session: 'Takes no personal access token: only somebody who signed in may make it.',
}

function roleTexts(role: CallRole): string[] {
  if (role === 'anyone') return []
  if (role === 'creator') return ['Whoever makes it may create datasets.']
  return [`Whoever makes it is at least \`${role}\` on the dataset.`]
}

function success(description: string, { reply, replyTypes }: Call): Json {
  if (reply === undefined) return { description }
  if (replyTypes === undefined) return { description, content: content(reply, 'output') }
  const types = replyTypes.map((type) => [plainType(type), bytes])
  return { description, content: Object.fromEntries(types) as Json }
}

/** Without parameters, by which generators do not know it. */
function plainType(mediaType: string): string {
  return mediaType.split(';')[0]!
}

const bytes = { schema: { type: 'string', format: 'binary' } }

function parameters(schema: Call['params'], location: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const { properties = {} } = jsonSchema(schema, 'input') as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path',
    schema: property,
  }))
}

const linkParameter: Json = {
  name: 'link',
  in: 'query',
  required: false,
  description: 'The text of a signed link, in place of a header `Authorization`.',
  schema: { type: 'string' },
}

function content(
  body: NonNullable<Call['body'] | Call['reply']>,
  io: 'input' | 'output' = 'input',
) {
  if (body === 'multipart') {
    return {
      'multipart/form-data': {
        schema: { type: 'object', additionalProperties: { type: 'string', format: 'binary' } },
      },
    }
  }
  if (body === 'bytes') return { 'application/octet-stream': bytes }
  return { 'application/json': { schema: jsonSchema(body, io) } }
}

function errorResponses(call: Call): Json {
  const codes = [...new Set([...call.errors, ...everyCallErrors])]
  const statuses = [...new Set(codes.map((code) => errors[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      errorResponse(codes.filter((code) => errors[code].status === status)),
    ]),
  )
}

function errorResponse(codes: ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
