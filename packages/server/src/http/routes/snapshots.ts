import {
  type DatasetState,
  exportFormats,
  parseState,
  stateHeader,
  stateName,
} from '@vitrine/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { identityKey } from '../../access/identity.ts'
import type { Blobs } from '../../blobs/blobs.ts'
import { DamagedBlob, reportDamage } from '../../blobs/read-blob.ts'
import {
  type SnapshotFile,
  type SnapshotFiles,
  snapshotUrls,
} from '../../exports/snapshot-files.ts'
import { fail, failAt } from '../../failure.ts'
import { readDatasetState } from '../../store/dataset-states.ts'
import { findDatasetById } from '../../store/datasets.ts'
import type { SnapshotPart } from '../../store/snapshot-files.ts'
import type { Db, Store } from '../../store/store.ts'
import { type Handlers, disconnectSignal } from '../route.ts'
import { sendValue } from '../send-value.ts'

type Reading = { store: Store; blobs: Blobs; snapshots: SnapshotFiles; apiUrl: string }
type Exchange = { request: FastifyRequest; reply: FastifyReply }
type SnapshotReads = 'datasetSnapshot' | 'datasetSnapshotFile' | 'datasetSnapshotPart'
type State = Required<DatasetState>

export function snapshotHandlers(reading: Reading): Pick<Handlers, SnapshotReads> {
  const { store, snapshots, apiUrl } = reading
  const addressOf = (state: State) => `/api/dataset/${stateName(state)}/snapshot`
  const find = (state: State, { request, reply }: Exchange) =>
    snapshots.find(state, {
      asker: identityKey(request.identity),
      signal: () => disconnectSignal(reply),
    })
  return {
    datasetSnapshot: async ({ params: { datasetId }, request, reply }) => {
      const { name, at: stateAt } = readState(datasetId)
      const state = { name, at: stateAt ?? (await readNow(store.reads, name)) }
      const { at, dataset, parts } = await find(state, { request, reply })
      const stored = await findDatasetById(store.reads, dataset.id)
      if (stored === undefined) throw fail('DATASET_NOT_FOUND')
      const { schema } = stored
      const urls = snapshotUrls(apiUrl, state, { parts })
      return {
        at,
        schema,
        rows: sum(parts.map(({ rows }) => rows)),
        bytes: sum(parts.map(({ size }) => size)),
        parts: parts.map(({ sha256, size, rows }, number) => {
          return { url: urls[number]!, bytes: size, sha256, rows }
        }),
      }
    },
    datasetSnapshotFile: async ({ params: { datasetId }, request, reply }) => {
      const { name, at } = readState(datasetId)
      if (at === undefined) {
        const now = await readNow(store.reads, name)
        // Ranges of the file of now would be ranges of different files once items are added.
        if (request.headers.range !== undefined) throw unpinned({ name, at: now })
        reply.header('cache-control', 'no-store')
        const link = request.link === undefined ? '' : `?link=${encodeURIComponent(request.link)}`
        return reply.redirect(`${addressOf({ name, at: now })}.parquet${link}`, 307)
      }
      const state = { name, at }
      const snapshot = await find(state, { request, reply })
      const [part, ...others] = snapshot.parts
      if (part === undefined || others.length > 0) {
        throw fail('SNAPSHOT_IN_PARTS', { manifest: `${apiUrl}${addressOf(state)}` })
      }
      return sendPart(reading, { snapshot, part, fileName: stateName(state) }, { request, reply })
    },
    datasetSnapshotPart: async ({ params, request, reply }) => {
      const { name, at } = readState(params.datasetId)
      if (at === undefined) throw unpinned({ name, at: await readNow(store.reads, name) })
      const snapshot = await find({ name, at }, { request, reply })
      const part = snapshot.parts[params.part]
      if (part === undefined) throw fail('SNAPSHOT_PART_NOT_FOUND')
      const fileName = `${stateName({ name, at })}-${params.part}`
      return sendPart(reading, { snapshot, part, fileName }, { request, reply })
    },
  }
}

/** @throws Failure DATASET_NOT_FOUND of what is no name of a dataset or a state */
function readState(text: string): DatasetState {
  const state = parseState(text)
  if (state === undefined) throw fail('DATASET_NOT_FOUND')
  return state
}

function unpinned(now: State) {
  const reason = `must name a state, as a part of a file is of one: of now it is ${stateName(now)}`
  return failAt('QUERY_INVALID', [{ path: ['datasetId'], reason }])
}

/**
 * How many items the repository of a dataset has.
 * @throws Failure DATASET_NOT_FOUND
 */
async function readNow(db: Db, name: string): Promise<number> {
  const state = await readDatasetState(db, name)
  if (state === undefined) throw fail('DATASET_NOT_FOUND')
  return state.at
}

function sendPart(
  reading: Reading,
  { snapshot, part, fileName }: { snapshot: SnapshotFile; part: SnapshotPart; fileName: string },
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { sha256, size } = part
  reply.header(stateHeader, String(snapshot.at))
  return sendValue(request, reply, {
    sha256,
    size,
    mime: exportFormats.parquet.mediaType,
    fileName,
    open: async (range) => {
      const dropDamaged = (error: unknown) => drop(reading, snapshot, { error, request })
      try {
        const bytes = await reading.snapshots.open(snapshot, part, range)
        return bytes.once('error', (error) => void dropDamaged(error))
      } catch (error) {
        await dropDamaged(error)
        throw error
      }
    },
  })
}

/** Notes that a file is damaged; the snapshot is made again for whoever asks next. */
async function drop(
  { store, blobs, snapshots }: Reading,
  snapshot: SnapshotFile,
  { error, request }: { error: unknown; request: FastifyRequest },
): Promise<void> {
  if (!(error instanceof DamagedBlob)) return
  const logger = request.log.child({ dataset: snapshot.dataset.name, at: snapshot.at })
  await reportDamage({ store, blobs, logger }, error)
  await snapshots.drop(snapshot).catch((failed: unknown) => {
    logger.error({ err: failed }, 'a damaged snapshot could not be dropped')
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
