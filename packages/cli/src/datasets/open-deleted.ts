import type { Client } from '@vitrine/client'
import type { DeletedDataset } from '@vitrine/contract'
import { type Given, CommandError } from '../command.ts'
import { pagesOf } from '../pages-of.ts'
import { openClient } from '../sign-in/open-client.ts'

/** A client of a server where deleted datasets can be taken back. */
export async function openDeleted(given: Given): Promise<Client> {
  const { client, features } = await openClient(given)
  if (!features.includes('deleted')) {
    throw new CommandError(`${client.options.baseUrl} does not keep what is deleted.`)
  }
  return client
}

/** Finds the deleted dataset that is meant, by its number or by the name that it had. */
export async function findDeleted(client: Client, meant: string): Promise<DeletedDataset> {
  const deleted = await Array.fromAsync(pagesOf((page) => client.deletedList(page)))
  const numbered = deleted.find(({ id }) => String(id) === meant)
  const named = deleted.filter(({ name }) => name === meant)
  const found = numbered ?? named[0]
  if (found === undefined) {
    throw new CommandError(
      `There is no deleted dataset ${meant} that you may take back. \`vitrine deleted\` lists them.`,
      { exitCode: 4 },
    )
  }
  if (numbered === undefined && named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ')
    throw new CommandError(
      `Several deleted datasets had the name ${meant}: give the number of one, of ${ids}.`,
      { exitCode: 5 },
    )
  }
  return found
}
