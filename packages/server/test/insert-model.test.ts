// @module-tag whole

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  commitOutcome,
  datasetId,
  expected,
  outcome,
  sendCommit,
  sendValues,
  titleMax,
  uploadOutcome,
  visible,
  type Model,
  type Real,
  type Values,
} from './insert-model.ts'
import { startTestServer } from './server.ts'
import { times } from './times.ts'

/** A soak takes more: `MODEL_RUNS=10000`; a failure is repeated with `MODEL_SEED`. */
const numRuns = times('MODEL_RUNS', { first: 2, again: 3, whole: 10 })
const seed = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31)

const unknownId = 1_000_000

/** The insert that a command is about: one of those that there are, or one that nobody began. */
function pick({ inserts }: Model, choice: number): number {
  const ids = [...inserts.keys()]
  return ids.length === 0 ? unknownId : (ids[choice % ids.length] ?? unknownId)
}

type Run = (model: Model, real: Real) => Promise<void>

/** A command is told by what it does; after every one, what can be seen is what the model says. */
class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string
  readonly #run: Run

  constructor(name: string, run: Run) {
    this.#name = name
    this.#run = run
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#run(model, real)
    expect(await visible(real)).toEqual(expected(model))
  }

  toString(): string {
    return this.#name
  }
}

const begin = () =>
  new Command('begin', async ({ inserts }, { server }) => {
    const { id } = await server.client.insertBegin({ datasetId })
    expect(inserts.has(id)).toBe(false)
    inserts.set(id, { state: 'open', values: {} })
  })

const upload = ([choice, values]: [number, Values]) =>
  new Command(`upload ${choice} ${JSON.stringify(values)}`, async (model, { server }) => {
    const id = pick(model, choice)
    const insert = model.inserts.get(id)
    const came = await outcome(sendValues(server.client, id, values))
    if (insert === undefined) return expect(came).toBe('REPO_OR_ITEM_NOT_FOUND')
    expect(came).toBe(uploadOutcome(insert, values))
    if (came === 'done') Object.assign(insert.values, values)
  })

const uploadField = ([choice, field, text]: [number, 'title' | 'file', string]) =>
  new Command(`upload ${choice} ${field}=${text}`, async (model, { server }) => {
    const id = pick(model, choice)
    const insert = model.inserts.get(id)
    const came = await outcome(
      server.client.insertFieldUpload({ datasetId, itemId: id, fieldName: field, body: text }),
    )
    if (insert === undefined) return expect(came).toBe('REPO_OR_ITEM_NOT_FOUND')
    expect(came).toBe(uploadOutcome(insert, { [field]: text }))
    if (came === 'done') insert.values[field] = text
  })

/** Signs off what was uploaded, times over at once; the insert is committed once. */
const commit = ([choice, times]: [number, number]) =>
  new Command(`commit ${choice} x${times}`, async (model, { server }) => {
    const id = pick(model, choice)
    const insert = model.inserts.get(id)
    const signed = insert?.values ?? {}
    const came = await Promise.all(
      Array.from({ length: times }, () => outcome(sendCommit(server.client, id, signed))),
    )
    const must = insert === undefined ? 'REPO_OR_ITEM_NOT_FOUND' : commitOutcome(insert, signed)
    expect(came).toEqual(came.map(() => must))
    if (insert?.state === 'open' && must === 'done') {
      insert.state = 'committed'
      model.committed.push(id)
    }
  })

/** Signs off something else; where that happens to be what was uploaded, it is a commit like any other. */
const commitOther = ([choice, signed]: [number, Values]) =>
  new Command(`commit ${choice} as ${JSON.stringify(signed)}`, async (model, { server }) => {
    const id = pick(model, choice)
    const insert = model.inserts.get(id)
    const came = await outcome(sendCommit(server.client, id, signed))
    if (insert === undefined) return expect(came).toBe('REPO_OR_ITEM_NOT_FOUND')
    expect(came).toBe(commitOutcome(insert, signed))
    if (insert.state === 'open' && came === 'done') {
      insert.state = 'committed'
      model.committed.push(id)
    }
  })

const expire = (choice: number) =>
  new Command(`expire ${choice}`, async (model, { store }) => {
    const id = pick(model, choice)
    const insert = model.inserts.get(id)
    await store.write((transaction) =>
      transaction
        .updateTable('inserts')
        .set({ expires_at: Date.now() - 1 })
        .where('item_id', '=', id)
        .execute(),
    )
    if (insert?.state === 'open') insert.state = 'expired'
  })

const collect = () =>
  new Command('collect', async (_model, { server }) => {
    await server.upkeep({ blobGraceMs: 0 })
  })

const restart = () => new Command('restart', (_model, { server }) => server.restart())

const choice = fc.nat(8)
const text = fc.string({ minLength: 0, maxLength: titleMax + 1, unit: fc.constantFrom('a', 'b') })
const file = fc.constantFrom('one', 'two', 'three')
const values: fc.Arbitrary<Values> = fc.record({ title: text, file }, { requiredKeys: [] })

const often = [
  fc.constant(null).map(begin),
  fc.tuple(choice, values).map(upload),
  fc
    .oneof(
      fc.tuple(choice, fc.constant('title' as const), text),
      fc.tuple(choice, fc.constant('file' as const), file),
    )
    .map(uploadField),
  fc.tuple(choice, fc.constantFrom(1, 1, 5)).map(commit),
  fc.tuple(choice, values).map(commitOther),
]
const seldom = [choice.map(expire), fc.constant(null).map(collect), fc.constant(null).map(restart)]

test(
  `inserts do what their model says (seed ${seed})`,
  { tags: 'long', timeout: 60_000 + numRuns * 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands([...often, ...often, ...seldom], { maxCommands: 60, size: 'max' }),
        async (commands) => {
          const server = await startTestServer({}, { restarts: true })
          const store = await server.database.open()
          try {
            await server.client.repoCreate({
              body: {
                name: datasetId,
                schema: [
                  { name: 'title', type: 'string', length: titleMax },
                  { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
                ],
              },
            })
            const model: Model = { inserts: new Map(), committed: [] }
            await fc.asyncModelRun(() => ({ model, real: { server, store } }), commands)
          } finally {
            await store.close()
            await server.close()
          }
        },
      ),
      { numRuns, seed, endOnFailure: false },
    )
  },
)
