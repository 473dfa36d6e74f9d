import type { IncomingMessage } from 'node:http'
import { api, check } from '@vitrine/contract'
import type { Roles } from '../../access/roles.ts'
import { expectChecked, fail } from '../../failure.ts'
import { recordFailure, toBody } from '../errors.ts'
import { formOverheadBytes, readParts } from '../multipart.ts'
import { RequestBody } from '../request-body.ts'
import type { Handlers } from '../route.ts'
import { SignedForm } from '../signed-form.ts'
import { addItem } from '../../inserts/add-item.ts'
import { addItems } from '../../inserts/add-items.ts'
import { beginCorrection } from '../../inserts/begin-correction.ts'
import { beginInsert } from '../../inserts/begin-insert.ts'
import { commitInsert } from '../../inserts/commit-insert.ts'
import type { InsertContext } from '../../inserts/insert-context.ts'
import type { FindAccess } from '../../inserts/require-correctable.ts'
import { withdrawItem } from '../../inserts/withdraw-item.ts'
import { uploadValues } from '../../inserts/upload-values.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'

/** How long an upload may be silent; never longer than its insert would stay open without it. */
const idleMsMax = 30_000

type InsertCalls =
  | 'insertBegin'
  | 'insertUpload'
  | 'insertFieldUpload'
  | 'insertCommit'
  | 'itemAdd'
  | 'itemAddMany'
  | 'correctionBegin'
  | 'itemWithdraw'

export function insertHandlers(
  context: InsertContext,
  { datasets, roles }: { datasets: DatasetReader; roles: Roles },
): Pick<Handlers, InsertCalls> {
  const findAccess: FindAccess = (...who) => roles.find(...who)
  const idleMs = Math.min(idleMsMax, context.deadlineMs)
  /** The body of an upload, unless it says itself that it is too large. */
  const openBody = (request: IncomingMessage, maxBytes: number) => {
    if (Number(request.headers['content-length']) > maxBytes) throw fail('CONTENT_TOO_LARGE')
    return new RequestBody(request, { idleMs })
  }
  return {
    insertBegin: ({ params, identity }) => beginInsert(context, params.datasetId, identity),

    insertUpload: async ({ params: { datasetId, itemId }, body: request, identity }) => {
      const body = openBody(request, context.maxUploadBytes + formOverheadBytes)
      try {
        const values = readParts(request.headers, body)
        const insert = { repoName: datasetId, itemId, identity }
        return await uploadValues(context, insert, { values, body })
      } finally {
        body.destroy()
      }
    },

    itemAdd: async ({ params, query, body: request, identity, visibility, reply }) => {
      const body = openBody(request, context.maxUploadBytes + formOverheadBytes)
      try {
        const form = new SignedForm(readParts(request.headers, body))
        const { id, isRepeated } = await addItem(
          { ...context, datasets },
          { repoName: params.datasetId, identity, visibility, key: query.key },
          { values: form.values(), integrity: () => form.integrity() },
        )
        if (isRepeated) reply.code(api.itemAdd.repeatStatus)
        return { id }
      } finally {
        body.destroy()
      }
    },

    itemAddMany: async ({ params: { datasetId }, body, identity, visibility, request }) => {
      const { items } = expectChecked('REQUEST_INVALID', check(api.itemAddMany.body, body))
      const of = { repoName: datasetId, identity, visibility }
      const outcomes = await addItems({ ...context, datasets }, of, items)
      return {
        items: outcomes.map((outcome) =>
          outcome.status === 'fulfilled'
            ? { id: outcome.value.id }
            : { error: toBody(recordFailure(outcome.reason, request)) },
        ),
      }
    },

    insertFieldUpload: async ({ params, body: request, identity }) => {
      const body = openBody(request, context.maxUploadBytes)
      try {
        const { datasetId, itemId, fieldName } = params
        const mime = request.headers['content-type']
        const values = [{ name: fieldName, mime, bytes: body }]
        const insert = { repoName: datasetId, itemId, identity }
        return await uploadValues(context, insert, { values, body })
      } finally {
        body.destroy()
      }
    },

    insertCommit: ({ params: { datasetId, itemId }, body, identity, visibility }) => {
      const { integrity } = expectChecked('REQUEST_INVALID', check(api.insertCommit.body, body))
      return commitInsert(
        { ...context, datasets, findAccess },
        { repoName: datasetId, itemId, identity, visibility },
        integrity,
      )
    },

    correctionBegin: ({ params: { datasetId, itemId }, body, identity }) => {
      const correction = expectChecked('REQUEST_INVALID', check(api.correctionBegin.body, body))
      const item = { repoName: datasetId, itemId, identity }
      return beginCorrection({ ...context, findAccess }, item, correction)
    },

    itemWithdraw: ({ params: { datasetId, itemId }, body, identity }) => {
      const { reason } = expectChecked('REQUEST_INVALID', check(api.itemWithdraw.body, body))
      const item = { repoName: datasetId, itemId, identity }
      return withdrawItem({ ...context, findAccess }, item, reason)
    },
  }
}
