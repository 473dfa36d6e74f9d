import { createHash } from 'node:crypto'
import {
  consistencyPath,
  entryText,
  inclusionPath,
  proofText,
  readTilePath,
  tileWidth,
  writeBundle,
  type Range,
} from '@vitrine/transparency-log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../failure.ts'
import type { CheckpointSigner } from '../../log/checkpoint-signer.ts'
import type { LogState, RepoLogs } from '../../log/repo-logs.ts'
import { isKept, keptAs } from '../kept-replies.ts'
import type { Handlers } from '../route.ts'

type LogCall =
  'logKey' | 'logVerifierKey' | 'logCheckpoint' | 'logTile' | 'logConsistency' | 'logProof'

/** Answers calls about the logs of repositories (docs/log.md). */
export function logHandlers(logs: RepoLogs, signer: CheckpointSigner): Pick<Handlers, LogCall> {
  const hashesOf = ({ log }: LogState, path: Range[]): Promise<Uint8Array[]> =>
    Promise.all(path.map((range) => log.hashOf(range)))
  return {
    logKey: async ({ request, reply }) => sendText({ request, reply }, `${signer.verifierKey}\n`),
    logVerifierKey: async ({ params, request, reply }) => {
      const { repo } = await logs.find(params.datasetId, 0)
      return sendText({ request, reply }, `${await signer.verifierKeyOf(repo)}\n`)
    },
    logCheckpoint: async ({ params, query, request, reply }) =>
      sendText(
        { request, reply },
        await signer.sign(await logs.find(params.datasetId, query.size)),
      ),
    logTile: async ({ params, request, reply }) => {
      const tile = readTilePath(params.tile)
      if (tile === undefined) throw fail('LOG_RANGE_NOT_FOUND')
      const { level, index, width } = tile
      const depth = level === 'entries' ? 0 : level
      const from = index * tileWidth
      // What a tile is made of has to be there; no tree is as high as the largest addresses.
      const size = (from + width) * tileWidth ** depth
      if (!Number.isSafeInteger(size)) throw fail('LOG_RANGE_NOT_FOUND')
      const { log } = await logs.find(params.datasetId, size)
      const range = { from, to: from + width }
      if (level !== 'entries') {
        return send({ request, reply }, Buffer.concat(await log.tile({ level, ...range })))
      }
      // The entry of an item that was removed behind our back is empty.
      const bytes = Array.from({ length: width }, () => Buffer.alloc(0))
      for (const { position, entry } of await log.entries.range(range)) {
        bytes[position - from] = Buffer.from(entryText(entry))
      }
      return send({ request, reply }, Buffer.from(writeBundle(bytes)))
    },
    logConsistency: async ({ params, query: { from, to } }) => {
      if (from > to) throw fail('LOG_RANGE_NOT_FOUND')
      const state = await logs.find(params.datasetId, to)
      const hashes = await hashesOf(state, consistencyPath(from, to))
      return { hashes: hashes.map((hash) => Buffer.from(hash).toString('hex')) }
    },
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

type Exchange = { request: FastifyRequest; reply: FastifyReply }

function sendText(exchange: Exchange, text: string): FastifyReply {
  return send(exchange, Buffer.from(text), 'text/plain; charset=utf-8')
}

/** Sends bytes that stay the same for as long as the repository is there. */
function send(
  { request, reply }: Exchange,
  bytes: Buffer,
  type = 'application/octet-stream',
): FastifyReply {
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
  if (isKept(request, etag)) return reply.code(304).headers(keptAs(etag)).send()
  return reply.headers({ ...keptAs(etag), 'content-type': type }).send(bytes)
}
