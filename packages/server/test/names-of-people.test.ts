import { addItem, createClient } from '@vitrine/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, startLocalServer } from './local-server.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const schema = [{ name: 'word', type: 'string', length: 20 }]

/** The client of somebody with these claims. */
async function clientOf(claims: Record<string, unknown>) {
  const token = await server.issuer.token(claims)
  return createClient({ baseUrl: server.url, token: () => token })
}

async function madeBy(claims: Record<string, unknown>, datasetId: string) {
  const client = await clientOf(claims)
  await client.repoCreate({ body: { name: datasetId, schema } })
  return (await client.datasetProvenance({ datasetId })).createdBy
}

test.each([
  ['a name', { name: 'Ada Lovelace', preferred_username: 'ada' }, { name: 'Ada Lovelace' }],
  ['a username alone', { preferred_username: 'ada' }, { name: 'ada' }],
  ['neither', {}, {}],
  ['a name of nothing', { name: ' \u0000 ' }, {}],
  ['no text for a name', { name: { first: 'Ada' } }, {}],
  ['a name that turns text around', { name: '\u202eadA\n' }, { name: 'adA' }],
  ['a name without an end', { name: '😀'.repeat(300) }, { name: '😀'.repeat(200) }],
])('a token with %s tells what to call somebody', async (what, claims, names) => {
  const subject = `of ${what}`
  expect(await madeBy({ sub: subject, ...claims }, subject.replaceAll(' ', '-'))).toEqual({
    subject,
    ...names,
  })
})

test('an item, of a view as well, tells who added it, by the name of today', async () => {
  const grace = await clientOf({ sub: 'grace', name: 'Grace' })
  await grace.repoCreate({ body: { name: 'words', schema } })
  await grace.viewCreate({
    body: { name: 'short-words', base: 'words', where: { word: { eq: 'one' } } },
  })
  const itemId = await addItem(grace, 'words', { word: 'one' })
  const other = await addItem(server.client, 'words', { word: 'long' })
  const authorOf = (datasetId: string, id: number) =>
    server.client.datasetItemAuthor({ datasetId, itemId: id })
  expect(await authorOf('words', itemId)).toEqual({ author: { subject: 'grace', name: 'Grace' } })
  expect(await authorOf('words', other)).toEqual({ author: { subject: 'alice' } })
  expect(await authorOf('short-words', itemId)).toEqual(await authorOf('words', itemId))
  await expect(authorOf('short-words', other)).rejects.toMatchObject({
    code: 'DATASET_OR_ITEM_NOT_FOUND',
  })

  const married = await clientOf({ sub: 'grace', name: 'Grace Hopper' })
  await addItem(married, 'words', { word: 'two' })
  // A token that says nothing of her does not make her nameless.
  await addItem(await clientOf({ sub: 'grace' }), 'words', { word: 'three' })
  expect(await authorOf('words', itemId)).toEqual({
    author: { subject: 'grace', name: 'Grace Hopper' },
  })
})

test('rows of an import have the author who began it', async () => {
  const linus = await clientOf({ sub: 'linus', preferred_username: 'linus' })
  await linus.repoCreate({ body: { name: 'rows', schema } })
  const { items } = await linus.importBegin({
    datasetId: 'rows',
    format: 'ndjson',
    body: '{"word":"a"}\n{"word":"b"}\n',
  })
  const itemId = items!.firstId + 1
  expect(await server.client.datasetItemAuthor({ datasetId: 'rows', itemId })).toEqual({
    author: { subject: 'linus', name: 'linus' },
  })
})

test('an item that is older than authors are kept tells of none', async () => {
  await server.client.repoCreate({ body: { name: 'old', schema } })
  const itemId = await addItem(server.client, 'old', { word: 'one' })
  await server.database.use(async ({ write }) =>
    write(async (transaction) => {
      const { id } = await transaction
        .selectFrom('datasets')
        .select('id')
        .where('name', '=', 'old')
        .executeTakeFirstOrThrow()
      await sql`update ${sql.table(`items_${id}`)} set author = null`.execute(transaction)
    }),
  )
  expect(await server.client.datasetItemAuthor({ datasetId: 'old', itemId })).toEqual({})
})

test('the built-in provider tells the username of an account', async () => {
  const local = await startLocalServer()
  try {
    const { access_token: token } = await local.visitor().signIn(admin)
    const client = createClient({ baseUrl: local.publicUrl, token: () => token })
    await client.repoCreate({ body: { name: 'mine', schema } })
    expect((await client.datasetProvenance({ datasetId: 'mine' })).createdBy).toMatchObject({
      name: 'admin',
    })
  } finally {
    await local.close()
  }
})
