// @module-tag engines

import { everyoneRoles, roles } from '@vitrine/contract'
import { expect, test } from 'vitest'
import { administrators } from '../src/access/administrators.ts'
import type { Identity } from '../src/access/identity.ts'
import { Roles } from '../src/access/roles.ts'
import { readConfig } from '../src/config.ts'
import { listDatasets } from '../src/store/dataset-rows.ts'
import { findDataset, findVisibleDataset } from '../src/store/datasets.ts'
import { type Principal, setGrant } from '../src/store/grants.ts'
import { listHidden } from '../src/store/visibility.ts'
import { SampleStore } from './sample-store.ts'

const issuer = 'https://example.org'
const schema = [{ name: 'word', type: 'string', length: 20 } as const]

// Names that tell a pattern from a wildcard of LIKE or GLOB, and upper case from lower.
const names = ['photos', 'Photos', 'photos-2', 'photos_2', 'photosX2', 'a.b', 'aXb', 'words', 'w']
const groups = ['lab', 'staff', 'lab/optics']
const patterns = ['photos*', 'photos_*', 'a.b', '*_2', '*s', 'w']

const people: Identity[] = [
  { issuer, subject: 'alice' },
  { issuer, subject: 'root', groups: [] },
  { issuer: 'https://other.example', subject: 'alice', groups: ['lab'] },
  { issuer, subject: 'bob' },
  { issuer, subject: "o'neill", groups: ['staff', 'lab/optics'] },
  // A group may be called as a person is stored.
  { issuer, subject: 'carol', groups: ['lab', 'staff', `${issuer} bob`] },
]

test('what a person was given counts for no group of that name', async () => {
  await using sample = await SampleStore.open()
  const { store } = sample
  await sample.create({ name: 'own', schema, items: [] })
  const { id: datasetId } = (await findDataset(store.reads, 'own'))!
  const bob = { kind: 'person', key: `${issuer} bob` } as const
  await store.write((transaction) =>
    setGrant(transaction, { datasetId, to: bob, role: 'owner', by: bob.key }),
  )
  const seenBy = (key: string, ofGroups: string[]) =>
    listHidden(store.reads, ['own'], { key, groups: ofGroups, everyone: 'none', patterns: [] })
  expect((await seenBy(bob.key, [])).size).toBe(0)
  expect((await seenBy('someone else', [bob.key])).size).toBe(1)
})

test('what lists show is what somebody has a role on, whatever was given', async () => {
  await using sample = await SampleStore.open()
  const { store } = sample
  for (const name of names) await sample.create({ name, schema, items: [] })
  const ids = await Promise.all(
    names.map(async (name) => (await findDataset(store.reads, name))!.id),
  )
  const pick = <T>(from: readonly T[], seed: number) => from[seed % from.length]!
  const compared = { shown: 0, hidden: 0 }
  for (let round = 0; round < 24; round += 1) {
    // Each round gives some more, in an order that covers pairs of all of them.
    const to: Principal[] = [
      { kind: 'everyone' },
      { kind: 'group', group: pick(groups, round) },
      { kind: 'person', key: `${issuer} ${pick(people, round * 5).subject}` },
    ]
    await store.write(async (transaction) => {
      for (const [at, principal] of to.entries()) {
        const role = principal.kind === 'everyone' ? pick(everyoneRoles, round) : pick(roles, round)
        const datasetId = pick(ids, round * 7 + at * 4)
        await setGrant(transaction, { datasetId, to: principal, role, by: `${issuer} alice` })
      }
    })
    const config = readConfig({
      VITRINE_DATA_DIR: 'unused',
      VITRINE_OIDC_AUTHORITY: issuer,
      VITRINE_OIDC_GROUPS_CLAIM: 'groups',
      VITRINE_ADMINS: 'root',
      VITRINE_EVERYONE: pick(['none', 'reader', 'none', 'contributor'], round),
      VITRINE_GROUPS: `${pick(groups, round + 1)}=reader:${pick(patterns, round)}`,
    })
    const given = new Roles(store, { ...config, administrators: administrators(config) })
    for (const identity of people) {
      const visibility = given.visibilityOf(identity)
      const found = await Promise.all(names.map((name) => given.find(identity, name)))
      const expected = names.filter((_, at) => found[at] !== undefined)
      const listed = await listDatasets(store.reads, { page: 0, pageSize: 100 }, visibility)
      expect(listed.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
      const hidden = names.filter((name) => !expected.includes(name))
      expect(await listHidden(store.reads, names, visibility)).toEqual(new Set(hidden))
      const [name] = hidden
      if (name !== undefined) {
        expect(await findVisibleDataset(store.reads, name, visibility)).toBeUndefined()
      }
      compared.shown += expected.length
      compared.hidden += hidden.length
    }
  }
  expect(Math.min(compared.shown, compared.hidden)).toBeGreaterThan(100)
})
