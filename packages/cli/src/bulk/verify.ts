import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { Client, ProvenItem, Seen } from '@vitrine/client'
import { stateName } from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { counted, visible } from '../command/table.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { verifyData } from '../installation/verify-data.ts'
import { openClient, pagesOf } from '../sign-in/open-client.ts'
import { type NamedState, readNamedState, requireStates } from '../datasets/named-state.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { checkpointLines } from '../sign-in/known-logs.ts'
import { type Damage, type Verified, damagePlace, damageText } from './verified.ts'
import { verifyDataset } from './verify-dataset.ts'
import { proofEnding, requireVerifiable, verifyFile } from './verify-file.ts'

export const verify = defineCommand({
  usage:
    '[<dataset>[@<items>] … | <bundle>.zip … | <item>.tlog-proof … | --file <file> … |\n' +
    '                      --data <folder>] [--derived] [--key <verifier key>] [--json]',
  summary: 'Check every digest of a server, an export or a data folder',
  details:
    'Of a server it reads every value down to the last byte and compares its sha256 with the one that it\n' +
    'was committed with; without names, of all repositories. Of a file it does so for the rows of an\n' +
    'export with --integrity as NDJSON, CSV, TSV, Parquet or zip. The bytes of binary values are in a\n' +
    'zip alone, which is read down to the last byte, with --integrity or without. A repository is also\n' +
    'compared with its log (docs/log.md): that it is signed, has every item, and goes on from the state\n' +
    'that was verified before with this account of the computer. Items of a view are compared with the log\n' +
    'of the repository that has them. It names each value\n' +
    'that is damaged, goes on to the next, and ends with 8 if there were any. What the server found by\n' +
    'itself, as it reads everything again within 30 days, comes first.\n' +
    'cats@1200 is cats as it was when its repository had 1,200 items (docs/states.md), compared with as\n' +
    'much of the log.\n' +
    'A bundle (docs/bundles.md) is verified without a server: its values, its logs, their signatures, and that\n' +
    'all is there that its items refer to. --key is the key that has to have signed, as /api/log/key of the\n' +
    'server has it that you trust; otherwise it is the key in the bundle, which is shown. The proof of an item\n' +
    '(vitrine show cats 7 --proof) has no key: name one.\n' +
    'With --data it checks an installation where it is kept, with the server’s variables: the database,\n' +
    'its references, and every file; a server may be running. Where none is, or on PostgreSQL, it also\n' +
    'compares what is derived of items (listings, orders, indexes, summaries) with what they say, some of it\n' +
    'that chance chooses, or all of it with --derived. What is wrong is made again when it is read.',
  examples: [
    ['verify', 'everything that the server keeps'],
    ['verify cats', 'one dataset'],
    ['verify --data ./data', 'all that a data folder keeps, without a server'],
    [
      'verify --data ./data --derived',
      'with every listing, order, index and summary made once more',
    ],
    ['verify --file cats.zip', 'an export, with every file in it'],
    ['verify cats.bundle.zip', 'a bundle, without a server'],
    ['verify cats-7.tlog-proof --key "$KEY"', 'that a log had an item, without a server'],
    ['verify --file cats.parquet --file cats.csv', 'exports that were made with --integrity'],
  ],
  positionals: { from: 0, to: Infinity },
  options: {
    ...serverOptions,
    file: { type: 'string', multiple: true },
    data: { type: 'string' },
    derived: { type: 'boolean' },
    key: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { positionals, values, io } = invocation
    const { key, data, derived, json: asJson } = values
    const { console } = io
    const local = positionals.filter(isLocal)
    const names = positionals.filter((each) => !local.includes(each))
    const files = [...local, ...(values.file ?? [])]
    if (key !== undefined && files.length === 0) {
      throw new UsageError('--key is for bundles and proofs: name one.')
    }
    if (files.length > 0 && names.length > 0) {
      throw new UsageError('Name datasets or files, not both.')
    }
    if (derived && data === undefined) {
      throw new UsageError('--derived is for a data folder: name it by --data.')
    }
    if (data !== undefined) {
      if (files.length > 0 || positionals.length > 0) {
        throw new UsageError('--data is the whole installation: name nothing beside it.')
      }
      return verifyData(data, { derived, asJson, io })
    }
    files.forEach(requireVerifiable)
    const damaged = { value: 0, item: 0, log: 0 }
    await untilInterrupted(io, 'Not everything was verified.', async (signal) => {
      const report = (source: string) => (damage: Damage) => {
        damaged[
          'log' in damage
            ? 'log'
            : 'item' in damage && damage.field === undefined
              ? 'item'
              : 'value'
        ] += 1
        if (asJson) console.log(JSON.stringify({ damaged: source, ...damage }))
        else {
          console.log(visible(`${source}: ${damageText(damage)}`))
          if (!('log' in damage)) return
          for (const line of checkpointLines(damage.checkpoints)) console.log(visible(line))
        }
      }
      const show = (source: string, verified: Verified) => {
        if (asJson) return console.log(JSON.stringify({ verified: source, ...verified }))
        if ('proof' in verified) {
          if (verified.proof === undefined) return
          return console.log(visible(`Verified ${source}: ${proofText(verified.proof)}`))
        }
        const { items, values, files, bytes, entries } = verified
        const figures = [
          counted(items, 'item'),
          counted(values, 'value'),
          ...(files === undefined ? [] : [counted(files, 'file')]),
          counted(bytes, 'byte'),
          ...(entries === undefined ? [] : [`a log of ${entries.toLocaleString('en')}`]),
        ].join(', ')
        const { bundle } = verified
        const what = bundle === undefined ? source : `${source}, ${bundle.dataset}@${bundle.at}`
        console.log(visible(`Verified ${what}: ${figures}.`))
        if (bundle !== undefined) console.log(visible(`Signed by ${bundle.key}.`))
      }
      for (const file of files)
        show(file, await verifyFile(file, { io, signal, key, onDamage: report(file) }))
      if (files.length > 0) return
      const states = names.map(readNamedState)
      const opened = await openClient(invocation)
      const { client, features } = opened
      for (const state of states) requireStates(opened, state)
      if (!features.includes('export')) {
        throw new CommandError(`${client.options.baseUrl} does not export, so nothing can be read.`)
      }
      const named = states.length > 0 ? states : await allRepos(client)
      const datasets = named.map(({ datasetId }) => datasetId)
      // What a server found by itself, it says at once; reading then says what is so now.
      if (features.includes('damage')) {
        for await (const { dataset, since, ...value } of knownDamage(client, datasets)) {
          const line = `${dataset}: ${damagePlace(value)}: ${value.what}, the server has known since ${since}`
          console.log(asJson ? JSON.stringify({ known: dataset, since, ...value }) : visible(line))
        }
      }
      const seen: Seen = new Map()
      for (const { datasetId, at } of named) {
        const name = stateName({ name: datasetId, ...(at !== undefined && { at }) })
        const options = {
          io,
          at,
          seen,
          signal,
          onDamage: report(name),
          hasLog: features.includes('log'),
        }
        show(name, await verifyDataset(client, datasetId, options))
      }
    })
    const summary = Object.entries(damaged).flatMap(([noun, count]) =>
      count === 0 ? [] : [counted(count, noun)],
    )
    if (summary.length > 0)
      throw new CommandError(`Damaged: ${summary.join(', ')}.`, { exitCode: 8 })
  },
})

/** Whether a word names an archive or a proof of this computer, and no dataset. */
function isLocal(word: string): boolean {
  return ['.zip', proofEnding].includes(extname(word).toLowerCase()) && existsSync(word)
}

function proofText({ entry, index, size, origin }: ProvenItem): string {
  const { id, createdAt, by, seal } = entry
  const added = `added ${createdAt}${by === undefined ? '' : ` by ${by}`}`
  return `item ${id}, ${added}, with the seal ${seal}, is entry ${index + 1} of ${size} of ${origin}.`
}

/** All of them: what views show is the repositories'. */
function allRepos({ repoList }: Client): Promise<NamedState[]> {
  return Array.fromAsync(pagesOf(repoList), ({ name }) => ({ datasetId: name }))
}

/** Damage of one value that the server knows of. */
export type KnownDamage = {
  dataset: string
  item: number
  field: string
  what: string
  /** Such as `2026-11-22T21:00:00.000Z`. */
  since: string
}

/** Lists the damage that a server has found by itself, of some datasets or of all. */
async function* knownDamage(
  { damageList }: Client,
  datasets: readonly string[],
): AsyncGenerator<KnownDamage> {
  for await (const { values, what, firstSeenAt: since } of pagesOf(damageList)) {
    for (const value of values) {
      if (datasets.includes(value.dataset)) yield { ...value, what, since }
    }
  }
}
