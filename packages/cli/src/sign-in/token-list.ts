import { pagesOf } from './open-client.ts'
import { defineCommand } from '../command/command.ts'
import { printTable } from '../command/table.ts'
import { openTokens } from './open-tokens.ts'
import { serverOptions } from './runtime-config.ts'

export const tokenList = defineCommand({
  usage: '[--server <address>] [--json]',
  summary: 'List your personal access tokens, and when each was last used',
  examples: [
    ['token list', 'number, name, scope, creation, expiry, last use and datasets'],
    ['token list --json | jq -r "select(.usedAt == null).name"', 'those that were never used'],
  ],
  positionals: 0,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const client = await openTokens(invocation)
    const tokens = await Array.fromAsync(pagesOf((page) => client.tokenList(page)))
    if (values.json) {
      for (const token of tokens) io.console.log(JSON.stringify(token))
      return
    }
    const names = ['id', 'name', 'scope', 'created', 'expires', 'last used', 'datasets']
    printTable(
      io,
      names,
      tokens.map(({ id, name, scope, datasets, createdAt, expiresAt, usedAt }) => [
        String(id),
        name,
        scope,
        createdAt.slice(0, 10),
        expiresAt?.slice(0, 10) ?? 'never',
        usedAt?.slice(0, 16).replace('T', ' ') ?? 'never',
        datasets?.map((each) => (each.isThere ? each.name : `${each.name} (gone)`)).join(', ') ??
          'all',
      ]),
    )
  },
})
