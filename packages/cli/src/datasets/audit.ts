import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type AuditHead, type Client, openReply, sha256, verifyAuditLog } from '@vitrine/client'
import { auditDetails, limits, type AuditEntry } from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import type { Io } from '../command/io.ts'
import { checkpointLines, findKnownLog, keepKnownLog } from '../sign-in/known-logs.ts'
import { printTable, visible } from '../command/table.ts'

export const audit = defineCommand({
  usage:
    '[--since <day>] [--until <day>] [--who <person>] [--what <act>] [--dataset <name>]\n[--limit <count>] [--format ndjson] [--verify [--known <entry>]] [--json]',
  summary: 'List what was done to an installation, for its administrators',
  details:
    'The audit log has an entry for each dataset that was made, extended or deleted, each import and each\n' +
    'account (docs/audit.md); items are in the logs of their repositories. A person is named by subject or name.\n' +
    'Days begin at midnight UTC; --until leaves its day out. --format ndjson writes the entries from the\n' +
    'oldest one on, with the hashes that prove them. --verify computes here whether each entry is what was written\n' +
    'and follows the one before, whether they are those that the server signs, in a log that goes on from what was\n' +
    'verified before, and whether repositories go on from the checkpoints that it has (docs/log.md). It prints the\n' +
    'last entry as number:hash. Keep that elsewhere: --known takes it, and says later whether the log still leads\n' +
    'there. It ends with 8 where something is wrong.',
  examples: [
    ['audit', 'the latest entries'],
    ['audit --who ada --since 2026-11-01', 'what ada has done since then'],
    ['audit --verify', 'whether all entries follow one another'],
    ['audit --format ndjson > audit.ndjson', 'all of it, to be kept elsewhere'],
  ],
  positionals: 0,
  options: {
    ...serverOptions,
    since: { type: 'string' },
    until: { type: 'string' },
    who: { type: 'string' },
    what: { type: 'string' },
    dataset: { type: 'string' },
    limit: { type: 'string' },
    format: { type: 'string' },
    verify: { type: 'boolean' },
    known: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { values, io } = invocation
    const { format, limit = '50' } = values
    if (format !== undefined && format !== 'ndjson') {
      throw new UsageError('--format is ndjson.')
    }
    if (!/^\d{1,9}$/.test(limit)) throw new UsageError('--limit is a whole number.')
    const known = values.known === undefined ? undefined : knownEntry(values.known, values.verify)
    const { client, features } = await openClient(invocation)
    if (!features.includes('audit')) {
      throw new CommandError(`${client.options.baseUrl} keeps no audit log.`)
    }
    const filters = Object.fromEntries(
      [
        ['from', values.since],
        ['to', values.until],
        ['who', values.who],
        ['what', values.what],
        ['dataset', values.dataset],
      ].filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
    if (values.verify) {
      const isSigned = features.includes('audit-log')
      await verify(client, { io, known, isSigned, isJson: values.json === true })
      return
    }
    if (format === 'ndjson') {
      const { body } = await openReply(client, 'auditExport', filters)
      await pipeline(Readable.fromWeb(body as ReadableStream), io.stdout, { end: false })
      return
    }
    const entries = await take(client, filters, Number(limit))
    if (values.json) {
      for (const entry of entries) io.console.log(JSON.stringify(entry))
      return
    }
    printTable(
      io,
      ['number', 'at', 'by', 'what', 'dataset', ''],
      entries.map((entry) => [
        String(entry.number),
        entry.at,
        entry.by?.name ?? entry.by?.subject ?? '',
        entry.what,
        entry.dataset?.name ?? '',
        auditDetails(entry),
      ]),
    )
  },
})

/** Reads `120:` and the hash of entry 120. */
function knownEntry(text: string, isVerifying = false): AuditHead {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined || !isVerifying) {
    throw new UsageError('--known goes with --verify, and is what that printed, such as 120:5f3a….')
  }
  return { number: Number(number), hash }
}

/** @throws CommandError with what is wrong with the entries, or the log that is signed of them */
async function verify(
  client: Client,
  {
    io,
    known,
    isSigned,
    isJson,
  }: { io: Io; known: AuditHead | undefined; isSigned: boolean; isJson: boolean },
): Promise<void> {
  const place = { server: client.options.baseUrl }
  const verified = await verifyAuditLog(client, {
    sha256,
    isSigned,
    entry: known,
    known: await findKnownLog(io, place),
  })
  const { head, checks } = verified
  const failed = checks.filter(({ passed }) => passed === false)
  if (head === undefined || failed.length > 0) {
    const lines = failed.flatMap(({ text, checkpoints }) => [text, ...checkpointLines(checkpoints)])
    throw new CommandError(lines.map(visible).join('\n'), { exitCode: 8 })
  }
  if (verified.known !== undefined) await keepKnownLog(io, place, verified.known)
  const { number, hash } = head
  if (isJson) {
    io.console.log(JSON.stringify({ number, hash, ...(verified.known && { log: verified.known }) }))
    return
  }
  for (const { text } of checks) io.console.error(visible(text))
  io.console.log(`${number}:${hash}`)
}

/** The newest entries that are asked for. */
async function take(
  client: Client,
  filters: Record<string, string>,
  count: number,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  while (entries.length < count) {
    const pageSize = Math.min(count - entries.length, limits.pageSizeMax)
    const last = entries.at(-1)
    const page = await client.auditList({
      ...filters,
      pageSize,
      ...(last && { before: last.number }),
    })
    entries.push(...page)
    if (page.length < pageSize) break
  }
  return entries
}
