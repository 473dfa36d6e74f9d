import {
  type CreatedToken,
  type Problem,
  type TokenInfo,
  api,
  check,
  parseMoment,
  invalidExpiry,
} from '@vitrine/contract'
import { expectChecked, fail, failAt } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { recordPerson } from '../store/people.ts'
import {
  type TokenDataset,
  type TokenRow,
  insertToken,
  listTokens,
  tokenDatasets,
} from '../store/tokens.ts'
import { findVisibleDataset } from '../store/datasets.ts'
import type { Db, Store, Transaction } from '../store/store.ts'
import { type Visibility, listVisibleIds } from '../store/visibility.ts'
import { type Author, personOf } from './identity.ts'
import { hashToken, makeTokenText } from './personal-token.ts'

/**
 * Creates a personal access token of somebody, and gives its text, which is kept nowhere.
 * @throws Failure REQUEST_INVALID, TOKENS_OFF
 */
export async function createToken(
  store: Store,
  input: unknown,
  { identity, visibility, isEnabled }: Author & { isEnabled: boolean },
): Promise<CreatedToken> {
  if (!isEnabled) throw fail('TOKENS_OFF')
  const { name, scope, expiresAt, datasets } = expectChecked(
    'REQUEST_INVALID',
    check(api.tokenCreate.body, input),
  )
  const expires_at = expiresAt === null ? null : parseMoment(expiresAt)!
  const unfit = expires_at === null ? undefined : invalidExpiry(expires_at, Date.now())
  if (unfit !== undefined) throw failAt('REQUEST_INVALID', [{ path: ['expiresAt'], reason: unfit }])
  const token = makeTokenText()
  const { issuer, subject } = identity
  const row = await store.write(async (transaction) => {
    const person = personOf(identity)
    await recordPerson(transaction, person)
    const named = datasets && (await requireDatasets(transaction, datasets, visibility))
    const row = await insertToken(transaction, {
      issuer,
      subject,
      sha256: hashToken(token),
      name: name.trim(),
      username: identity.username ?? null,
      scope,
      datasets: named ? JSON.stringify(named) : null,
      expires_at,
    })
    const names = named?.map((dataset) => dataset.name)
    const details = { token: row.id, name: row.name, scope, ...(names && { datasets: names }) }
    await writeAudit(transaction, { what: 'token-created', by: person, details })
    return row
  })
  return { ...tokenInfoOf(row), token }
}

/**
 * Finds the datasets of a new token, each once.
 * @throws Failure REQUEST_INVALID naming those that are not there for whoever creates it
 */
async function requireDatasets(
  transaction: Transaction,
  names: readonly string[],
  visibility: Visibility,
): Promise<TokenDataset[]> {
  const problems: Problem[] = []
  const found = new Map<string, TokenDataset>()
  for (const [index, name] of names.entries()) {
    const dataset = await findVisibleDataset(transaction, name, visibility)
    if (dataset !== undefined) found.set(name, { id: dataset.id, name })
    else problems.push({ path: ['datasets', index], reason: 'there is no dataset of this name' })
  }
  if (problems.length > 0) throw failAt('REQUEST_INVALID', problems)
  return [...found.values()]
}

/** Lists personal access tokens of a person, the newest first, with which of their datasets are there for them. */
export async function listTheirTokens(
  db: Db,
  { identity, visibility }: Author,
  page: { page: number; pageSize: number },
): Promise<TokenInfo[]> {
  const { issuer, subject } = identity
  const rows = await listTokens(db, { issuer, subject, ...page })
  const ids = rows.flatMap((row) => tokenDatasets(row)?.map(({ id }) => id) ?? [])
  const visible = await listVisibleIds(db, ids, visibility)
  return rows.map((row) => tokenInfoOf(row, (id) => visible.has(id)))
}

/** A personal access token as it is listed. */
function tokenInfoOf(
  row: TokenRow,
  isThere: (datasetId: number) => boolean = () => true,
): TokenInfo {
  const { id, name, scope, created_at, expires_at, used_at } = row
  const datasets = tokenDatasets(row)
  return {
    id,
    name,
    scope,
    datasets:
      datasets?.map((dataset) => ({ name: dataset.name, isThere: isThere(dataset.id) })) ?? null,
    createdAt: moment(created_at),
    expiresAt: expires_at === null ? null : moment(expires_at),
    usedAt: used_at === null ? null : moment(used_at),
  }
}

function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
