import { fetchItemProof, type Client } from '@vitrine/client'

/** Says of the first item of a repository that it comes from the log that it is in. */
export async function ownOrigin(client: Client, datasetId: string) {
  const { entry, checkpoint } = await fetchItemProof(client, { datasetId, itemId: 1, size: 1 })
  const key = (await (await client.logVerifierKey({ datasetId })).text()).trim()
  return { datasetId, body: { from: 0, checkpoint, key, entries: [entry] } }
}
