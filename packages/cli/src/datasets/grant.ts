import type { Client } from '@vitrine/client'
import {
  type Grant,
  type Person,
  everyoneRoles,
  foldSearch,
  groupName,
  roles,
} from '@vitrine/contract'
import { CommandError, defineCommand, type Invocation, UsageError } from '../command/command.ts'
import { openClient, pagesOf } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'

const principalOptions = { group: { type: 'string' }, everyone: { type: 'boolean' } } as const

type PrincipalValues = { group?: string | undefined; everyone?: boolean | undefined }

export const grant = defineCommand({
  usage: '<dataset> <role> (<person> | --group <group> | --everyone) [--server <address>] [--json]',
  summary: 'Give a person, a group, or everybody signed in a role on a dataset',
  details:
    'Roles are reader, contributor, curator and owner; each includes those before it (docs/roles.md). The role\n' +
    'takes the place of the one that they were given before. A person is named by their whole name or their\n' +
    'subject, and is known once they have signed in. A group is one of the provider. --everyone replaces what\n' +
    'the server says of everybody, for this dataset; with none it is there for those alone who were given a role,\n' +
    'and for administrators. It takes an owner of the dataset.',
  examples: [
    ['grant photos curator "Ada Lovelace"', 'lets Ada import and edit metadata'],
    ['grant photos contributor --group lab', 'lets the group lab of the provider add items'],
    ['grant photos reader --everyone', 'lets everybody else read alone'],
    ['grant photos none --everyone', 'hides it from everybody else'],
  ],
  positionals: { from: 2, to: 3 },
  options: { ...serverOptions, ...principalOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const [datasetId = '', word = '', name] = invocation.positionals
    const given = values.everyone ? everyoneRoles : roles
    const role = given.find((each) => each === word)
    if (role === undefined) {
      throw new UsageError(`A role is one of ${roles.join(', ')}, and none with --everyone.`)
    }
    requireOne(name, values)
    const client = await openRoles(invocation)
    const person =
      name === undefined ? undefined : (await findPerson(client, datasetId, name)).subject
    const { group } = values
    const to = {
      ...(person !== undefined && { person }),
      ...(group !== undefined && { group }),
      ...(values.everyone && { everyone: true as const }),
    }
    const granted = await client.grantSet({ datasetId, body: { ...to, role } })
    io.console.log(
      values.json
        ? JSON.stringify(granted)
        : `On ${datasetId} ${principalText(granted)} is ${granted.role} now.`,
    )
  },
})

export const revoke = defineCommand({
  usage: '<dataset> (<person> | --group <group> | --everyone) [--server <address>] [--json]',
  summary: 'Take a role back that somebody was given on a dataset',
  details:
    'It counts from their next call on, and what they import at that moment is not published. They keep what\n' +
    'everybody may, and whoever created a dataset owns it. It takes an owner of the dataset.',
  examples: [
    ['revoke photos "Ada Lovelace"', 'takes back what Ada was given'],
    ['revoke photos --everyone', 'has what the server says of everybody count again'],
  ],
  positionals: { from: 1, to: 2 },
  options: { ...serverOptions, ...principalOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const [datasetId = '', name] = invocation.positionals
    requireOne(name, values)
    const client = await openRoles(invocation)
    const grants = await listGrants(client, datasetId)
    const found = findGrant(grants, name, values)
    if (found === undefined) {
      const who = name ?? (values.group === undefined ? 'Everybody' : `The group ${values.group}`)
      throw new CommandError(
        `${who} was given no role on ${datasetId}. \`vitrine who ${datasetId}\` lists roles.`,
        { exitCode: 4 },
      )
    }
    await client.grantRevoke({ datasetId, grantId: found.id })
    io.console.log(
      values.json
        ? JSON.stringify({ revoked: found.id, role: found.role })
        : `The role ${found.role} on ${datasetId} is taken back from ${principalText(found)}.`,
    )
  },
})

/** @throws UsageError unless one of a person, a group, and everybody is named */
function requireOne(person: string | undefined, { group, everyone }: PrincipalValues): void {
  const named = [person !== undefined, group !== undefined, everyone === true].filter(Boolean)
  if (named.length !== 1) throw new UsageError('Name either a person, --group or --everyone.')
}

function findGrant(
  grants: readonly Grant[],
  name: string | undefined,
  { group }: PrincipalValues,
): Grant | undefined {
  if (group !== undefined) return grants.find((each) => each.group === groupName(group))
  if (name === undefined) return grants.find(({ everyone }) => everyone)
  const person = choosePerson(name, grants.flatMap(personsOf))
  return person && grants.find((each) => each.person?.subject === person.subject)
}

/**
 * A client of a server with roles.
 * @throws CommandError when everybody may do everything there, or no server answers
 */
export async function openRoles(invocation: Invocation<typeof serverOptions>): Promise<Client> {
  const { client, features } = await openClient(invocation)
  if (!features.includes('roles')) {
    throw new CommandError(
      `At ${client.options.baseUrl} everybody signed in may do everything (VITRINE_EVERYONE).`,
    )
  }
  return client
}

export function listGrants(client: Client, datasetId: string): Promise<Grant[]> {
  const pages = pagesOf(async (page) => (await client.grantList({ datasetId, ...page })).grants)
  return Array.fromAsync(pages)
}

/** Finds the person of a whole name, in any case, or of a subject. */
async function findPerson(client: Client, datasetId: string, name: string): Promise<Person> {
  const pages = pagesOf((page) => client.personList({ datasetId, q: name, ...page }))
  const people = await Array.fromAsync(pages)
  const person = choosePerson(name, people)
  if (person !== undefined) return person
  const near = people.slice(0, 5).map(nameText)
  throw new CommandError(
    near.length === 0
      ? `Nobody is known as ${name}: people are known once they have signed in.`
      : `Nobody is known as ${name}. Did you mean ${near.join(' or ')}?`,
    { exitCode: 4 },
  )
}

const personsOf = ({ person }: Grant) => (person === undefined ? [] : [person])

/**
 * Chooses the one who is meant by a subject or else by a whole name.
 * @throws CommandError where several have the name
 */
function choosePerson(meant: string, people: readonly Person[]): Person | undefined {
  const exact = people.find(({ subject }) => subject === meant)
  if (exact !== undefined) return exact
  const named = people.filter(({ name = '' }) => foldSearch(name) === foldSearch(meant))
  if (named.length < 2) return named[0]
  const subjects = named.map(({ subject }) => subject).join(', ')
  throw new CommandError(
    `Several people are called ${meant}: give the subject of one, of ${subjects}.`,
    { exitCode: 5 },
  )
}

export const nameText = ({ name, subject }: Person): string => name ?? subject

export function principalText({ person, group }: Pick<Grant, 'person' | 'group'>): string {
  if (group !== undefined) return `the group ${group}`
  return person === undefined ? 'everybody' : nameText(person)
}
