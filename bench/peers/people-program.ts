import type { Client } from '@vitrine/client'

/** People on one page. */
export const pageSize = 100

/** A program that holds the people of `fillPeople`, with the requests that each answers in its own way. */
export type PeopleProgram = {
  name: string
  /** Reads the first page of the people whose name contains a text. */
  search: (text: string, options: { isSorted: boolean }) => Promise<unknown>
  /** Reads a page, numbered from 0. */
  page: (number: number) => Promise<unknown>
  count: () => Promise<unknown>
}

export function vitrinePeople(client: Client): PeopleProgram {
  const datasetId = 'people'
  return {
    name: 'Vitrine',
    search: (q, { isSorted }) =>
      client.datasetItemList({ datasetId, q, pageSize, ...(isSorted && { order: ['name'] }) }),
    page: (page) => client.datasetItemList({ datasetId, page, pageSize }),
    count: () => client.datasetCount({ datasetId }),
  }
}
