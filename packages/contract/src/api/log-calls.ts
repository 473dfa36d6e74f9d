import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { dataset, datasetItem } from './dataset-calls.ts'
import { digits } from './query-text.ts'

/** How many entries a log had at the state that is asked for; as it is now where nothing is said. */
const size = z.optional(digits(0, Number.MAX_SAFE_INTEGER))
const text = ['text/plain']
const hashes = z.array(z.string())
const checkpoint = z.strictObject({ size })
const consistency = z.strictObject({
  from: digits(0, Number.MAX_SAFE_INTEGER),
  to: digits(0, Number.MAX_SAFE_INTEGER),
})

/** That a log goes on where it ended before (RFC 6962 §2.1.2); hashes in hex. */
export const logConsistency = z.object({ hashes })
export type LogConsistency = z.infer<typeof logConsistency>

/** The calls about the logs of repositories, and of the audit log as one, which independent programs verify (docs/log.md). */
export const logCalls = {
  logKey: {
    summary: 'Get the key of this installation, which signs the checkpoints of all its logs',
    method: 'GET',
    path: '/api/log/key',
    scope: 'read',
    role: 'anyone',
    status: 200,
    reply: 'bytes',
    replyTypes: text,
    errors: [],
  },
  logVerifierKey: {
    summary:
      'Get the key that verifies the checkpoints of a repository, named by the origin of its log',
    method: 'GET',
    path: '/api/repo/{datasetId}/log/vkey',
    scope: 'read',
    role: 'reader',
    params: dataset,
    status: 200,
    reply: 'bytes',
    replyTypes: text,
    errors: ['REPO_NOT_FOUND', 'INTERNAL'],
  },
  logCheckpoint: {
    summary: 'Get the signed checkpoint of a repository: its size and the root of its log',
    method: 'GET',
    path: '/api/repo/{datasetId}/log/checkpoint',
    scope: 'read',
    role: 'reader',
    params: dataset,
    query: checkpoint,
    status: 200,
    reply: 'bytes',
    replyTypes: text,
    errors: ['REPO_NOT_FOUND', 'LOG_RANGE_NOT_FOUND', 'INTERNAL', 'LOG_DAMAGED', 'LOG_NOT_SIGNED'],
  },
  logTile: {
    summary: 'Get a tile of hashes or entries of a log, by its path in C2SP tlog-tiles',
    method: 'GET',
    path: '/api/repo/{datasetId}/log/tile/{tile...}',
    scope: 'read',
    role: 'reader',
    params: z.object({ ...dataset.shape, tile: z.string() }),
    status: 200,
    reply: 'bytes',
    replyTypes: ['application/octet-stream'],
    errors: ['REPO_NOT_FOUND', 'LOG_RANGE_NOT_FOUND', 'INTERNAL', 'LOG_DAMAGED'],
  },
  logConsistency: {
    summary: 'Get a consistency proof: a log extends an earlier size of itself',
    method: 'GET',
    path: '/api/repo/{datasetId}/log/consistency',
    scope: 'read',
    role: 'reader',
    params: dataset,
    query: consistency,
    status: 200,
    reply: logConsistency,
    errors: ['REPO_NOT_FOUND', 'LOG_RANGE_NOT_FOUND', 'INTERNAL', 'LOG_DAMAGED'],
  },
  logProof: {
    summary: 'Get the proof that the log of a repository has an item, as a C2SP tlog-proof file',
    method: 'GET',
    path: '/api/repo/{datasetId}/item/{itemId}/proof',
    scope: 'read',
    role: 'reader',
    params: datasetItem,
    query: z.strictObject({ size }),
    status: 200,
    reply: 'bytes',
    replyTypes: text,
    errors: [
      'REPO_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'LOG_RANGE_NOT_FOUND',
      'INTERNAL',
      'LOG_DAMAGED',
      'LOG_NOT_SIGNED',
    ],
  },
  auditVerifierKey: {
    summary: 'Get the key that verifies the checkpoints of the audit log, named by its origin',
    method: 'GET',
    path: '/api/audit/log/vkey',
    scope: 'read',
    role: 'anyone',
    status: 200,
    reply: 'bytes',
    replyTypes: text,
    errors: [],
  },
  auditCheckpoint: {
    summary: 'Get the signed checkpoint of the audit log: its size and the root of its tree',
    method: 'GET',
    path: '/api/audit/log/checkpoint',
    scope: 'read',
    role: 'anyone',
    query: checkpoint,
    status: 200,
    reply: 'bytes',
    replyTypes: text,
    errors: ['LOG_RANGE_NOT_FOUND', 'INTERNAL', 'LOG_DAMAGED', 'LOG_NOT_SIGNED'],
  },
  auditConsistency: {
    summary: 'Get a consistency proof: the audit log extends an earlier size of itself',
    method: 'GET',
    path: '/api/audit/log/consistency',
    scope: 'read',
    role: 'anyone',
    query: consistency,
    status: 200,
    reply: logConsistency,
    errors: ['LOG_RANGE_NOT_FOUND', 'INTERNAL', 'LOG_DAMAGED'],
  },
  auditTile: {
    summary: 'Get a tile of hashes or entries of the audit log, by its path in C2SP tlog-tiles',
    method: 'GET',
    path: '/api/audit/log/tile/{tile...}',
    scope: 'manage',
    role: 'anyone',
    params: z.object({ tile: z.string() }),
    status: 200,
    reply: 'bytes',
    replyTypes: ['application/octet-stream'],
    errors: ['ADMINISTRATOR_REQUIRED', 'LOG_RANGE_NOT_FOUND', 'INTERNAL', 'LOG_DAMAGED'],
  },
} as const satisfies Record<string, Call>
