import type { Client } from '@vitrine/client'
import { type Command, CommandError, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { untilInterrupted } from '../interruption.ts'
import { verifyData } from '../installation/verify-data.ts'
import { pagesOf } from '../pages-of.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { visible } from '../table.ts'
import { knownDamage } from './known-damage.ts'
import type { Damage, Verified } from './verified.ts'
import { type Seen, verifyDataset } from './verify-dataset.ts'
import { requireVerifiable, verifyFile } from './verify-file.ts'

export const verify: Command = {
  usage: '[<dataset> … | --file <file> … | --data <folder>] [--json]',
  summary: 'Check every digest of a server, an export or a data folder',
  details:
    'Of a server it reads every value down to the last byte and compares its sha256 with the one that it\n' +
    'was committed with; without names, of all repositories. Of a file it does so for the rows of an\n' +
    'export with --integrity as NDJSON, CSV, TSV, Parquet or zip. The bytes of binary values are in a\n' +
    'zip alone, which is read down to the last byte, with --integrity or without. It names each value\n' +
    'that is damaged, goes on to the next, and ends with 8 if there were any. What the server found by\n' +
    'itself, as it reads everything again within 30 days, comes first.\n' +
    'With --data it checks an installation where it is kept, with the server’s variables: the database,\n' +
    'its references, and every file; a server may be running.',
  examples: [
    ['verify', 'everything that the server keeps'],
    ['verify cats', 'one dataset'],
    ['verify --data ./data', 'all that a data folder keeps, without a server'],
    ['verify --file cats.zip', 'an export, with every file in it'],
    ['verify --file cats.parquet --file cats.csv', 'exports that were made with --integrity'],
  ],
  positionals: { from: 0, to: Infinity },
  options: {
    ...serverOptions,
    file: { type: 'string', multiple: true },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (given) => {
    const { positionals, values, io } = given
    const { console } = io
    const files = (values['file'] ?? []) as string[]
    if (files.length > 0 && positionals.length > 0) {
      throw new UsageError('Name datasets or files, not both.')
    }
    const { data } = values
    if (data !== undefined) {
      if (files.length > 0 || positionals.length > 0) {
        throw new UsageError('--data is the whole installation: name nothing beside it.')
      }
      return verifyData(String(data), given)
    }
    files.forEach(requireVerifiable)
    const asJson = values['json'] === true
    let damaged = 0
    await untilInterrupted(io, 'Not everything was verified.', async (signal) => {
      const told = (source: string) => (damage: Damage) => {
        damaged += 1
        if (asJson) console.log(JSON.stringify({ damaged: source, ...damage }))
        else console.log(visible(`${source}: ${placeOf(damage)}: ${damage.what}`))
      }
      const show = (source: string, verified: Verified) => {
        if (asJson) return console.log(JSON.stringify({ verified: source, ...verified }))
        const { items, values, files, bytes } = verified
        const figures = [
          counted(items, 'item'),
          counted(values, 'value'),
          ...(files === undefined ? [] : [counted(files, 'file')]),
          counted(bytes, 'byte'),
        ].join(', ')
        console.log(`Verified ${source}: ${figures}.`)
      }
      for (const file of files)
        show(file, await verifyFile(file, { io, signal, onDamage: told(file) }))
      if (files.length > 0) return
      const { client, features } = await openClient(given)
      if (!features.includes('export')) {
        throw new CommandError(`${client.options.baseUrl} does not export, so nothing can be read.`)
      }
      const names = positionals.length > 0 ? positionals : await repoNames(client)
      // What a server found by itself, it says at once; reading then says what is so now.
      if (features.includes('damage')) {
        for await (const { dataset, since, ...value } of knownDamage(client, names)) {
          const line = `${dataset}: ${placeOf(value)}: ${value.what}, the server has known since ${since}`
          console.log(asJson ? JSON.stringify({ known: dataset, since, ...value }) : visible(line))
        }
      }
      const seen: Seen = new Map()
      for (const name of names) {
        show(name, await verifyDataset(client, name, { io, seen, signal, onDamage: told(name) }))
      }
    })
    if (damaged > 0) {
      throw new CommandError(`Damaged: ${counted(damaged, 'value')}.`, { exitCode: 8 })
    }
  },
}

function placeOf(damage: Damage): string {
  return 'file' in damage ? damage.file : `item ${damage.item}, ${damage.field}`
}

/** All of them: what views show is the repositories'. */
function repoNames({ repoList }: Client): Promise<string[]> {
  return Array.fromAsync(pagesOf(repoList), ({ name }) => name)
}
