import { createHash } from 'node:crypto'
import { type CallName, type api, integrityPart } from '@vitrine/contract'
import { form } from './form.ts'

/** An input that names what is there; enough for calls that are refused before they do anything. */
export const there: Record<string, unknown> = {
  datasetId: 'people',
  itemId: 1,
  fieldName: 'name',
  importKey: 'none',
  outcome: '0'.repeat(64),
  format: 'ndjson',
  ids: [1],
  offset: 0,
  width: 96,
  key: 'there',
  tile: 'entries/000.p/1',
  from: 0,
  to: 1,
  tokenId: 1,
  deletedId: 1,
  grantId: 1,
  linkId: 1,
  part: 0,
}

type BodyCall = {
  [N in CallName]: (typeof api)[N] extends { path: `${string}{datasetId}${string}`; body: unknown }
    ? N
    : never
}[CallName]

const sha256 = createHash('sha256').update('Grace').digest('hex')
const integrity = { name: { sha256 } }

/** A body for each call about a dataset that takes one, but for what only a log can sign. */
export const bodies: Record<Exclude<BodyCall, 'originAdd'>, () => BodyInit> = {
  repoExtend: () =>
    JSON.stringify({ name: 'people', schema: [{ name: 'name', type: 'string', length: 20 }] }),
  insertUpload: () => form({ name: 'Grace' }),
  insertFieldUpload: () => 'Grace',
  insertCommit: () => JSON.stringify({ integrity }),
  correctionBegin: () => JSON.stringify({ reason: 'a typing error', keep: ['name'] }),
  itemWithdraw: () => JSON.stringify({ reason: 'added twice' }),
  itemAdd: () => form({ name: 'Grace', [integrityPart]: JSON.stringify(integrity) }),
  itemAddMany: () =>
    JSON.stringify({ items: [{ key: 'there', values: { name: 'Grace' }, integrity }] }),
  importBegin: () => '{"name":"Grace"}',
  importAppend: () => '{"name":"Grace"}',
  linkCreate: () => JSON.stringify({ name: 'review', hours: 1 }),
  grantSet: () => JSON.stringify({ everyone: true, role: 'reader' }),
}

/** Inputs that calls about logs succeed with. */
export const logInputs = {
  auditVerifierKey: async () => ({}),
  auditCheckpoint: async () => ({}),
  auditConsistency: async () => ({ from: 0, to: 1 }),
  auditTile: async () => ({ tile: 'entries/000.p/1' }),
  logKey: async () => ({}),
  logVerifierKey: async () => ({ datasetId: 'people' }),
  logCheckpoint: async () => ({ datasetId: 'people' }),
  logTile: async () => ({ datasetId: 'people', tile: 'entries/000.p/1' }),
  logConsistency: async () => ({ datasetId: 'people', from: 0, to: 1 }),
  logProof: async () => ({ datasetId: 'people', itemId: 1 }),
}
