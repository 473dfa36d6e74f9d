import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { reportMediaTypes } from '@vitrine/contract'
import { identityKey } from '../../access/identity.ts'
import { fail, Failure } from '../../failure.ts'
import { RequestBody } from '../request-body.ts'
import type { Handlers } from '../route.ts'
import {
  beginImport,
  readReport,
  requireImport,
  requireSameToken,
  requireRepoNamed,
  toImportState,
} from '../../imports/import-requests.ts'
import type { ImportContext } from '../../imports/import-context.ts'
import type { Imports } from '../../imports/imports.ts'
import { listDifference } from '../../imports/import-difference.ts'
import { completeFile, receiveFile } from '../../imports/import-file.ts'
import { confirmImport } from '../../imports/work-on-import.ts'
import { type ImportRow, findImportById, listImports } from '../../store/imports.ts'

/** How long an upload may be silent. */
const idleMs = 30_000

type ImportCalls = Extract<keyof Handlers, `import${string}`>

export function importHandlers(
  context: ImportContext,
  imports: Imports,
): Pick<Handlers, ImportCalls> {
  const { store, maxBytes } = context
  const receive = async (
    row: ImportRow,
    sent: { offset: number; complete: boolean; request: IncomingMessage },
  ) => {
    const { offset, complete, request } = sent
    if (offset + Number(request.headers['content-length'] ?? 0) > maxBytes) {
      throw fail('CONTENT_TOO_LARGE')
    }
    const body = new RequestBody(request, { idleMs })
    try {
      return await receiveFile(context, row, { offset, complete, body })
    } finally {
      body.destroy()
    }
  }
  const finish = async (row: ImportRow, receivedBytes: number) => {
    await completeFile(context, row.id, receivedBytes)
    imports.run(row)
  }
  const stateAfter = async ({ id }: ImportRow, wait: number) => {
    await imports.wait(id, wait)
    return toImportState((await findImportById(store.reads, id))!)
  }

  return {
    importList: async ({ params, query, identity }) => {
      const { id } = await requireRepoNamed(store.reads, params.datasetId)
      const createdBy = identityKey(identity)
      const rows = await listImports(store.reads, { datasetId: id, createdBy, ...query })
      return rows.map(toImportState)
    },

    importBegin: async ({ params, query, identity, visibility, body, reply }) => {
      const { key, complete, wait, columns = {}, ...options } = query
      const named = { repoName: params.datasetId, key }
      const author = { identity, visibility }
      const begun = await beginImport(context, named, { ...options, columns }, author)
      if (!begun.isNew) reply.code(200)
      if (begun.row.state === 'receiving') {
        const receivedBytes = await receive(begun.row, { offset: 0, complete, request: body })
        if (complete) await finish(begun.row, receivedBytes)
      }
      const state = await stateAfter(begun.row, complete ? wait : 0)
      if (state.error !== undefined) {
        const { code, details } = state.error
        throw new Failure(code as Failure['code'], { details })
      }
      return state
    },

    importAppend: async ({ params, query, identity, body }) => {
      const row = await requireImport(store.reads, toKey(params), identity)
      requireSameToken(row, identity)
      const { offset, complete, wait } = query
      if (row.state !== 'receiving' || offset !== row.received_bytes) {
        throw fail('IMPORT_OFFSET', { receivedBytes: row.received_bytes })
      }
      const receivedBytes = await receive(row, { offset, complete, request: body })
      if (complete) await finish(row, receivedBytes)
      return stateAfter(row, complete ? wait : 0)
    },

    importGet: async ({ params, query, identity }) =>
      stateAfter(await requireImport(store.reads, toKey(params), identity), query.wait),

    importReport: async ({ params, query: { format }, identity, reply }) => {
      const { id, key } = await requireImport(store.reads, toKey(params), identity)
      reply.headers({
        'content-type': reportMediaTypes[format],
        'content-disposition': `attachment; filename="${key}-refused.${format}"`,
      })
      return reply.send(Readable.from(readReport(store.reads, id, format)))
    },

    importDifference: async ({ params, query, identity }) =>
      listDifference(context, await requireImport(store.reads, toKey(params), identity), query),

    importConfirm: async ({ params, query, identity }) => {
      const row = await requireImport(store.reads, toKey(params), identity)
      requireSameToken(row, identity)
      await confirmImport(store, row.id, query.outcome)
      imports.run(row)
      return stateAfter(row, query.wait)
    },

    importCancel: async ({ params, identity }) => {
      const { id } = await requireImport(store.reads, toKey(params), identity)
      await imports.cancel(id)
    },
  }
}

function toKey({ datasetId, importKey }: { datasetId: string; importKey: string }) {
  return { repoName: datasetId, key: importKey }
}
