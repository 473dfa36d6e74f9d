import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { openReply, type Client } from '@vitrine/client'
import { auditDetails, limits, type AuditEntry } from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable } from '../command/table.ts'

export const audit = defineCommand({
  usage:
    '[--since <day>] [--until <day>] [--who <person>] [--what <act>] [--dataset <name>]\n[--limit <count>] [--format ndjson] [--json]',
  summary: 'List what was done to an installation, for its administrators',
  details:
    'The audit log has an entry for each dataset that was made, extended or deleted, each import and each\n' +
    'account (docs/audit.md); items are in the logs of their repositories. A person is named by subject or name.\n' +
    'Days begin at midnight UTC; --until leaves its day out. --format ndjson writes the entries from the\n' +
    'oldest one on, with the hashes that prove them.',
  examples: [
    ['audit', 'the latest entries'],
    ['audit --who ada --since 2026-11-01', 'what ada has done since then'],
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
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { values, io } = invocation
    const { format, limit = '50' } = values
    if (format !== undefined && format !== 'ndjson') {
      throw new UsageError('--format is ndjson.')
    }
    if (!/^\d{1,9}$/.test(limit)) throw new UsageError('--limit is a whole number.')
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
