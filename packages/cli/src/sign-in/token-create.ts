import { parseMoment, tokenScopes } from '@vitrine/contract'
import { defineCommand, UsageError } from '../command/command.ts'
import { openTokens } from './open-tokens.ts'
import { serverOptions } from './runtime-config.ts'

export const tokenCreate = defineCommand({
  usage:
    '--name <name> [--scope <scope>] [--dataset <name>]... [--expires <when>] [--server <address>] [--json]',
  summary: 'Create a personal access token, for notebooks and pipelines',
  details:
    'It is printed once. Whoever has it can do as you what its scope allows: read; add, which also inserts and\n' +
    'imports; manage, which also creates, extends and deletes datasets; or deposit, which inserts and imports,\n' +
    'and reads nothing. It is read unless said otherwise.\n' +
    'It is for all datasets that you may use, or with --dataset for those alone: for it there are no others, and it\n' +
    'creates none. One that is deleted and created again is another one.\n' +
    'It expires after so many days (90d, which it is unless said otherwise; at most 366d), on a date\n' +
    '(2027-01-31), or never. Programs send it as Bearer, or as the password of Basic with any name.\n' +
    'Creating one takes a sign-in by `vitrine login`.',
  examples: [
    ['token create --name notebook', 'reads for 90 days'],
    ['token create --name ci --scope add --expires 30d', 'reads and adds for 30 days'],
    ['token create --name paper --dataset photos', 'reads one dataset, for 90 days'],
    ['token create --name sensor --scope deposit', 'adds for 90 days, and reads nothing'],
    ['token create --name mirror --expires never', 'reads until it is revoked'],
  ],
  positionals: 0,
  options: {
    ...serverOptions,
    name: { type: 'string' },
    scope: { type: 'string' },
    dataset: { type: 'string', multiple: true },
    expires: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { io, values } = invocation
    const { name, scope = 'read', dataset: datasets, expires = '90d' } = values
    if (name === undefined) throw new UsageError('Missing --name <name>.')
    if (!tokenScopes.some((each) => each === scope)) {
      throw new UsageError(`--scope is one of ${tokenScopes.join(', ')}.`)
    }
    const body = { name, scope, expiresAt: expiryOf(expires), ...(datasets && { datasets }) }
    const client = await openTokens(invocation)
    const created = await client.tokenCreate({ body })
    if (values.json) {
      io.console.log(JSON.stringify(created))
      return
    }
    const until =
      created.expiresAt === null ? 'until it is revoked' : `until ${created.expiresAt.slice(0, 10)}`
    io.console.log(created.token)
    const on = created.datasets?.map((each) => each.name).join(', ')
    const what = on === undefined ? scope : `${scope} on ${on}`
    io.console.error(`Keep it now: it is not shown again. It serves ${until}, for ${what}.`)
  },
})

/** A moment in UTC, or null where it never expires. */
function expiryOf(when: string): string | null {
  if (when === 'never') return null
  const [, days] = /^(\d{1,4})d$/.exec(when) ?? []
  if (days !== undefined) return new Date(Date.now() + Number(days) * 86_400_000).toISOString()
  if (parseMoment(when) !== undefined) return when
  throw new UsageError(
    '--expires is a number of days such as 90d, a date such as 2027-01-31, or never.',
  )
}
