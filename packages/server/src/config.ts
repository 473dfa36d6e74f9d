import { resolve } from 'node:path'
import * as z from 'zod/mini'
import {
  type EveryoneRole,
  type GroupRole,
  everyoneRoles,
  groupName,
  roles,
} from '@vitrine/contract'
import type { DatabaseAddress } from './store/store.ts'

/** A bucket, or a part of one, at AWS or at another server that speaks S3. */
export type S3Address = {
  bucket: string
  /** The prefix of every key: empty, or ending with a slash. */
  prefix: string
  /** Undefined is AWS. */
  endpoint: string | undefined
  /** Undefined is what the AWS SDK finds in its environment. */
  region: string | undefined
}

/** Address of the blobs. */
export type BlobAddress = ({ engine: 's3' } & S3Address) | { engine: 'files'; folder: string }

export const blobAddressForm =
  'must be like file:./blobs or s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-1'

/** `file:./blobs` is taken relative to the working folder. Undefined for what is no such address. */
export function parseBlobAddress(text: string): BlobAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol === 'file:') {
    return { engine: 'files', folder: resolve(text.replace(/^\w+:(?:\/\/(?=\/))?/, '')) }
  }
  return url.protocol === 's3:' ? parseS3Address(url) : undefined
}

/** Returns an address as people write it. */
export function showBlobAddress(address: BlobAddress): string {
  return address.engine === 'files'
    ? address.folder
    : `s3://${address.bucket}/${address.prefix}${address.endpoint === undefined ? '' : ` at ${address.endpoint}`}`
}

/** Keys are kept to characters that every server and tool takes as they are. */
const prefixPattern = /^(?:[\w!.*'()-]+\/)*$/

function parseS3Address(url: URL): BlobAddress | undefined {
  const { hostname: bucket, username, password, port, hash, searchParams } = url
  const prefix = url.pathname.replace(/^\/+/, '').replace(/(?<=[^/])\/*$/, '/')
  const endpoint = searchParams.get('endpoint') ?? undefined
  const isWhole =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    prefixPattern.test(prefix) &&
    // Credentials in an address end up in logs: the SDK's own variables and files have places for them.
    [username, password, port, hash].every((part) => part === '') &&
    [...searchParams.keys()].every((name) => /^(?:endpoint|region)$/.test(name)) &&
    (endpoint === undefined || (/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
  if (!isWhole) return undefined
  return { engine: 's3', bucket, prefix, endpoint, region: searchParams.get('region') ?? undefined }
}

const wholeNumber = (minimum: number, maximum: number) => {
  const reason = `must be a whole number from ${minimum} to ${maximum}`
  const fits = (text: string) =>
    /^\d{1,16}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return z.pipe(z.string().check(z.refine(fits, reason)), z.transform(Number))
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const httpUrl = z
  .string()
  .check(z.refine((text) => /^https?:$/.test(protocolOf(text)), 'must be an http or https address'))

/** Cookies, the provider's routes and the app's pages all stand at the root of their origin. */
const origin = httpUrl.check(
  z.refine(
    (text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`,
    'must be the address of a host, without a path: Vitrine cannot be served below one',
  ),
)

const groupsForm =
  'must be like curators=curator, staff=contributor:photos-*: a group, its role, and the names of the datasets'

/** Roles of groups: `group=role`, or `group=role:pattern`, with commas between. */
const groupRoles = z.pipe(
  z._default(
    z.string().check(z.refine((text) => parseGroupRoles(text).every(isGroupRole), groupsForm)),
    '',
  ),
  z.transform((text) => parseGroupRoles(text).filter(isGroupRole)),
)

const isGroupRole = (parsed: GroupRole | undefined) => parsed !== undefined

function parseGroupRoles(text: string): (GroupRole | undefined)[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = '', word, pattern = '*'] =
        /^([^=]*)=\s*([a-z]+)\s*(?::\s*([\w.*-]+))?\s*$/.exec(part) ?? []
      const group = groupName(name)
      const role = roles.find((each) => each === word)
      return group === undefined || role === undefined ? undefined : { group, role, pattern }
    })
}

/** Every variable that the server reads; docs/operating.md lists them. */
const environment = z.object({
  VITRINE_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  VITRINE_PORT: z._default(wholeNumber(0, 65_535), 8080),
  VITRINE_PUBLIC_URL: z.optional(origin),
  VITRINE_DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  VITRINE_DATABASE_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => /^(sqlite|postgres|postgresql):$/.test(protocolOf(text)),
          'must be a sqlite: or postgres: address',
        ),
      ),
  ),
  VITRINE_BLOB_URL: z.optional(
    z.string().check(z.refine((text) => parseBlobAddress(text) !== undefined, blobAddressForm)),
  ),
  VITRINE_OIDC_AUTHORITY: z.optional(httpUrl),
  VITRINE_OIDC_CLIENT_ID: z._default(z.string().check(z.minLength(1)), 'vitrine'),
  VITRINE_OIDC_AUDIENCE: z.optional(z.string().check(z.minLength(1))),
  VITRINE_OIDC_GROUPS_CLAIM: z.optional(z.string().check(z.minLength(1))),
  VITRINE_OIDC_SCOPE: z._default(z.string().check(z.minLength(1)), 'openid profile'),
  VITRINE_ADMIN_PASSWORD: z.optional(
    z.string().check(z.minLength(8, 'must have at least 8 characters')),
  ),
  VITRINE_TOKENS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  VITRINE_LINKS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  VITRINE_ADMINS: z.optional(z.string()),
  VITRINE_GROUPS: groupRoles,
  VITRINE_EVERYONE: z._default(
    z.enum(everyoneRoles, `must be one of ${everyoneRoles.join(', ')}`),
    'owner',
  ),
  VITRINE_ACCESS_TOKEN_SECONDS: z._default(wholeNumber(1, 86_400), 300),
  VITRINE_INSERT_DEADLINE: z._default(wholeNumber(1, 7 * 86_400), 900),
  VITRINE_MAX_UPLOAD_BYTES: z._default(wholeNumber(1, Number.MAX_SAFE_INTEGER), 10 * 1024 ** 3),
  VITRINE_MAX_SNAPSHOT_BYTES: z._default(wholeNumber(0, Number.MAX_SAFE_INTEGER), 10 * 1024 ** 3),
  VITRINE_TRASH_DAYS: z._default(wholeNumber(0, 3650), 30),
  VITRINE_DELETED_DAYS: z._default(wholeNumber(0, 3650), 30),
  VITRINE_LOG_LEVEL: z._default(
    z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    'info',
  ),
  VITRINE_LOG_ADDRESSES: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
})

/** The command line's own variables, which may well be set where a server is started. */
const commandLineVariables = ['VITRINE_SERVER', 'VITRINE_TOKEN']

export type Config = {
  host: string
  port: number
  /** Public URL of the server; undefined means `http://localhost:PORT`. */
  publicUrl: string | undefined
  dataDir: string
  database: DatabaseAddress
  blobs: BlobAddress
  /** `authority` undefined means the built-in provider. */
  oidc: {
    authority: string | undefined
    clientId: string
    audience: string | undefined
    scope: string
    /** Claim of access tokens that lists the groups of a person. */
    groupsClaim: string | undefined
  }
  adminPassword: string | undefined
  /** Subjects and usernames of administrators; undefined means `admin` of the built-in provider. */
  admins: readonly string[] | undefined
  /** Role of everybody signed in on every dataset that says nothing else. */
  everyone: EveryoneRole
  /** Roles of groups of the provider. */
  groupRoles: readonly GroupRole[]
  /** Life of the built-in provider's access tokens, in seconds. */
  accessTokenSeconds: number
  /** Whether personal access tokens are created and taken. */
  takesTokens: boolean
  takesLinks: boolean
  /** How long an insert stays open without progress, in seconds. */
  insertDeadlineSeconds: number
  maxUploadBytes: number
  /** Bytes of the snapshots of all datasets together; 0 where none are made. */
  maxSnapshotBytes: number
  /** How many days removed blobs are kept in the trash. */
  trashDays: number
  /** How many days deleted datasets can be taken back; with 0 they are removed at once. */
  deletedDays: number
  logLevel: (typeof logLevels)[number]
  /** Whether lines of the log that tell of a request have the address of the client. */
  logsAddresses: boolean
}

/** A configuration that cannot work, said in sentences for the person who starts the server. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads the configuration from environment variables; throws `ConfigError` saying what to change. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(variables)
  const unknown = Object.keys(variables).filter(
    (name) =>
      name.startsWith('VITRINE_') &&
      !commandLineVariables.includes(name) &&
      !Object.hasOwn(environment.shape, name),
  )
  const sentences = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`)),
    ...unknown.map((name) => `${name} is not a variable that Vitrine knows.`),
  ]
  const readsGroups = variables['VITRINE_OIDC_GROUPS_CLAIM'] !== undefined
  if (variables['VITRINE_GROUPS'] !== undefined && !readsGroups) {
    sentences.push('VITRINE_GROUPS needs VITRINE_OIDC_GROUPS_CLAIM: the claim that lists groups.')
  }
  if (readsGroups && variables['VITRINE_OIDC_AUTHORITY'] === undefined) {
    sentences.push(
      'VITRINE_OIDC_GROUPS_CLAIM needs VITRINE_OIDC_AUTHORITY: the built-in provider has no groups.',
    )
  }
  if (!parsed.success || sentences.length > 0) throw new ConfigError(sentences.join('\n'))

  const read = parsed.data
  const dataDir = resolve(read.VITRINE_DATA_DIR)
  return {
    host: read.VITRINE_HOST,
    port: read.VITRINE_PORT,
    publicUrl: read.VITRINE_PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir,
    database: databaseAt(read.VITRINE_DATABASE_URL, resolve(dataDir, 'vitrine.db')),
    blobs: parseBlobAddress(read.VITRINE_BLOB_URL ?? `file:${resolve(dataDir, 'blobs')}`)!,
    oidc: {
      authority: read.VITRINE_OIDC_AUTHORITY,
      clientId: read.VITRINE_OIDC_CLIENT_ID,
      audience: read.VITRINE_OIDC_AUDIENCE,
      scope: read.VITRINE_OIDC_SCOPE,
      groupsClaim: read.VITRINE_OIDC_GROUPS_CLAIM,
    },
    adminPassword: read.VITRINE_ADMIN_PASSWORD,
    admins: read.VITRINE_ADMINS?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    everyone: read.VITRINE_EVERYONE,
    groupRoles: read.VITRINE_GROUPS,
    accessTokenSeconds: read.VITRINE_ACCESS_TOKEN_SECONDS,
    takesTokens: read.VITRINE_TOKENS === 'on',
    takesLinks: read.VITRINE_LINKS === 'on',
    insertDeadlineSeconds: read.VITRINE_INSERT_DEADLINE,
    maxUploadBytes: read.VITRINE_MAX_UPLOAD_BYTES,
    maxSnapshotBytes: read.VITRINE_MAX_SNAPSHOT_BYTES,
    trashDays: read.VITRINE_TRASH_DAYS,
    deletedDays: read.VITRINE_DELETED_DAYS,
    logLevel: read.VITRINE_LOG_LEVEL,
    logsAddresses: read.VITRINE_LOG_ADDRESSES === 'on',
  }
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : ''
}

function databaseAt(url: string | undefined, file: string): DatabaseAddress {
  return url !== undefined && protocolOf(url) !== 'sqlite:'
    ? { engine: 'postgres', url }
    : { engine: 'sqlite', file: pathOf(url, file) }
}

/** `sqlite:./x.db` is taken relative to the working folder. */
function pathOf(url: string | undefined, otherwise: string): string {
  return url === undefined ? otherwise : resolve(url.replace(/^\w+:(?:\/\/(?=\/))?/, ''))
}
