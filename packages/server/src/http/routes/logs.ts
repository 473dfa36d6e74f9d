import { createHash } from 'node:crypto'
import type { LogConsistency } from '@vitrine/contract'
import {
  consistencyPath,
  entryText,
  inclusionPath,
  proofText,
  readTilePath,
  tileWidth,
  writeBundle,
  type Range,
  type Tile,
} from '@vitrine/transparency-log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Administrators } from '../../access/administrators.ts'
import { fail } from '../../failure.ts'
import type { CheckpointSigner } from '../../log/checkpoint-signer.ts'
import type { Logs, LogState } from '../../log/logs.ts'
import { listAuditHashes } from '../../store/audit-log.ts'
import type { Store } from '../../store/store.ts'
import { isKept, keptAs } from '../kept-replies.ts'
import type { Handlers } from '../route.ts'

type LogCall =
  'logKey' | 'logVerifierKey' | 'logCheckpoint' | 'logTile' | 'logConsistency' | 'logProof'

/** Answers calls about the logs of repositories (docs/log.md). */
export function logHandlers(logs: Logs, signer: CheckpointSigner): Pick<Handlers, LogCall> {
  return {
    logKey: async ({ request, reply }) => sendText({ request, reply }, `${signer.verifierKey}\n`),
    logVerifierKey: async ({ params, request, reply }) => {
      const log = await logs.find(params.datasetId, 0)
      return sendText({ request, reply }, `${await signer.verifierKeyOf(log)}\n`)
    },
    logCheckpoint: async ({ params, query, request, reply }) =>
      sendText(
        { request, reply },
        await signer.sign(await logs.find(params.datasetId, query.size)),
      ),
    logTile: async ({ params, request, reply }) => {
      const { level, range, size } = readTile(params.tile)
      const { log } = await logs.find(params.datasetId, size)
      if (level !== 'entries') {
        return send({ request, reply }, Buffer.concat(await log.tile({ level, ...range })))
      }
      // The entry of an item that was removed behind our back is empty.
      const { from, to } = range
      const bytes = Array.from({ length: to - from }, () => Buffer.alloc(0))
      for (const { position, entry } of await log.entries.range(range)) {
        bytes[position - from] = Buffer.from(entryText(entry))
      }
      return send({ request, reply }, Buffer.from(writeBundle(bytes)))
    },
    logConsistency: async ({ params, query }) =>
      proveConsistency(query, (size) => logs.find(params.datasetId, size)),
    logProof: async ({ params, query, reply }) => {
      const state = await logs.find(params.datasetId, query.size)
      const leaf = await state.log.entries.find(params.itemId)
      if (leaf === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      const { position: index, entry } = leaf
      if (index >= state.size) throw fail('LOG_RANGE_NOT_FOUND')
      const proof = proofText({
        index,
        hashes: await hashesOf(state, inclusionPath(index, state.size)),
        checkpoint: await signer.sign(state),
        extra: Buffer.from(entryText(entry)),
      })
      return reply.type('text/plain; charset=utf-8').send(proof)
    },
  }
}

/** Answers calls about the audit log as a log, whose entries are for administrators. */
export function auditLogHandlers(
  { reads }: Store,
  {
    logs,
    signer,
    administrators,
  }: { logs: Logs; signer: CheckpointSigner; administrators: Administrators },
): Pick<Handlers, 'auditVerifierKey' | 'auditCheckpoint' | 'auditConsistency' | 'auditTile'> {
  return {
    auditVerifierKey: async ({ request, reply }) =>
      sendText({ request, reply }, `${await signer.verifierKeyOf(await logs.findAudit(0))}\n`),
    auditCheckpoint: async ({ query, request, reply }) =>
      sendText({ request, reply }, await signer.sign(await logs.findAudit(query.size))),
    auditConsistency: async ({ query }) => proveConsistency(query, (size) => logs.findAudit(size)),
    auditTile: async ({ params, identity, request, reply }) => {
      administrators.require(identity)
      const { level, range, size } = readTile(params.tile)
      const { log } = await logs.findAudit(size)
      if (level !== 'entries') {
        return send({ request, reply }, Buffer.concat(await log.tile({ level, ...range })))
      }
      const entries = await listAuditHashes(reads, range)
      if (entries.length < range.to - range.from) throw fail('LOG_DAMAGED')
      return send(
        { request, reply },
        Buffer.from(writeBundle(entries.map((hash) => Buffer.from(hash)))),
      )
    },
  }
}

/**
 * Reads the path of a tile: what is in it, and which size a log has that has it.
 * @throws Failure LOG_RANGE_NOT_FOUND
 */
function readTile(path: string): { level: Tile['level']; range: Range; size: number } {
  const tile = readTilePath(path)
  if (tile === undefined) throw fail('LOG_RANGE_NOT_FOUND')
  const { level, index, width } = tile
  const depth = level === 'entries' ? 0 : level
  const from = index * tileWidth
  // What a tile is made of has to be there; no tree is as high as the largest addresses.
  const size = (from + width) * tileWidth ** depth
  if (!Number.isSafeInteger(size)) throw fail('LOG_RANGE_NOT_FOUND')
  return { level, range: { from, to: from + width }, size }
}

async function proveConsistency(
  { from, to }: Range,
  find: (size: number) => Promise<LogState>,
): Promise<LogConsistency> {
  if (from > to) throw fail('LOG_RANGE_NOT_FOUND')
  const hashes = await hashesOf(await find(to), consistencyPath(from, to))
  return { hashes: hashes.map((hash) => Buffer.from(hash).toString('hex')) }
}

const hashesOf = ({ log }: LogState, path: Range[]): Promise<Uint8Array[]> =>
  Promise.all(path.map((range) => log.hashOf(range)))

type Exchange = { request: FastifyRequest; reply: FastifyReply }

function sendText(exchange: Exchange, text: string): FastifyReply {
  return send(exchange, Buffer.from(text), 'text/plain; charset=utf-8')
}

/** Sends bytes that stay the same for as long as the log is there. */
function send(
  { request, reply }: Exchange,
  bytes: Buffer,
  type = 'application/octet-stream',
): FastifyReply {
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
  if (isKept(request, etag)) return reply.code(304).headers(keptAs(etag)).send()
  return reply.headers({ ...keptAs(etag), 'content-type': type }).send(bytes)
}
