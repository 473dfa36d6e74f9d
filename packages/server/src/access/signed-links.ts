import { type CreatedLink, type LinkInfo, type Person, api, check } from '@vitrine/contract'
import { expectChecked, fail } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { readDatasetState } from '../store/dataset-states.ts'
import { findDatasetById, findVisibleDataset } from '../store/datasets.ts'
import { findPerson, recordPerson } from '../store/people.ts'
import type { Db, Store } from '../store/store.ts'
import { type TokenRow, deleteLink, insertToken, listLinks } from '../store/tokens.ts'
import { type Author, type Identity, identityKey, personOf } from './identity.ts'
import { hashToken, makeTokenText } from './personal-token.ts'

const hourMs = 60 * 60_000

/**
 * Creates a signed link to a dataset or one state of it, and gives its text, which is kept nowhere.
 * @throws Failure REQUEST_INVALID, LINKS_OFF, DATASET_NOT_FOUND, STATE_NOT_FOUND
 */
export async function createLink(
  store: Store,
  datasetName: string,
  input: unknown,
  { identity, visibility, isEnabled }: Author & { isEnabled: boolean },
): Promise<CreatedLink> {
  if (!isEnabled) throw fail('LINKS_OFF')
  const { name, hours, at } = expectChecked('REQUEST_INVALID', check(api.linkCreate.body, input))
  const link = makeTokenText('link')
  const { issuer, subject } = identity
  const row = await store.write(async (transaction) => {
    const dataset = await findVisibleDataset(transaction, datasetName, visibility)
    const state = await readDatasetState(transaction, datasetName, at)
    if (dataset === undefined || state === undefined) throw fail('DATASET_NOT_FOUND')
    if (state.at > state.size) throw fail('STATE_NOT_FOUND', { totalItems: state.size })
    const person = personOf(identity)
    await recordPerson(transaction, person)
    const row = await insertToken(transaction, {
      issuer,
      subject,
      sha256: hashToken(link),
      name: name.trim(),
      username: identity.username ?? null,
      scope: 'read',
      datasets: JSON.stringify([{ id: dataset.id, name: dataset.name }]),
      link_of: dataset.id,
      state_at: at ?? null,
      expires_at: Date.now() + hours * hourMs,
    })
    const details = { link: row.id, name: row.name, hours, ...(at !== undefined && { at }) }
    await writeAudit(transaction, { what: 'link-created', by: person, dataset, details })
    return row
  })
  return { ...linkInfoOf(row, await findPerson(store.reads, identityKey(identity))), link }
}

/** Lists signed links to a dataset, the newest first: those of one person, or of all. */
export async function listTheirLinks(
  db: Db,
  which: { datasetId: number; of: Identity | undefined; page: number; pageSize: number },
): Promise<LinkInfo[]> {
  const rows = await listLinks(db, which)
  return Promise.all(
    rows.map(async (row) => {
      const { issuer, subject } = row
      return linkInfoOf(row, await findPerson(db, identityKey({ issuer, subject })))
    }),
  )
}

/**
 * Revokes a signed link to a dataset: that of one person, or anybody's.
 * @throws Failure LINK_NOT_FOUND
 */
export async function revokeLink(
  store: Store,
  which: { datasetId: number; of: Identity | undefined; id: number },
  by: Identity,
): Promise<void> {
  const wasThere = await store.write(async (transaction) => {
    const row = await deleteLink(transaction, which)
    if (row === undefined) return false
    const dataset = await findDatasetById(transaction, which.datasetId)
    await writeAudit(transaction, {
      what: 'link-revoked',
      by: personOf(by),
      ...(dataset && { dataset }),
      details: { link: row.id, name: row.name },
    })
    return true
  })
  if (!wasThere) throw fail('LINK_NOT_FOUND')
}

function linkInfoOf(row: TokenRow, by: Person): LinkInfo {
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString()
  return {
    id: row.id,
    name: row.name,
    at: row.state_at,
    by,
    createdAt: moment(row.created_at),
    expiresAt: moment(row.expires_at!),
    usedAt: row.used_at === null ? null : moment(row.used_at),
  }
}
