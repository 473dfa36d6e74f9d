import { addItem, type Client, type NewValue } from '@vitrine/client'
import { parseDescription } from '@vitrine/client/yaml'

/** Creates a repository with a field of every type that is written as text, references aside. */
export async function createCities(client: Client, name: string): Promise<void> {
  const parsed = parseDescription(`---
name: ${name}
schema:
  - { name: name, type: string, length: 40 }
  - { name: size, type: string, choices: [small, medium, large] }
  - { name: population, type: integer }
  - { name: area, type: number, optional: true }
  - { name: capital, type: boolean }
  - { name: founded, type: date, optional: true }
  - { name: surveyed, type: timestamp, optional: true }
  - { name: names, type: json, optional: true }
`)
  if (parsed.ok) await client.repoCreate({ body: parsed.value })
}

const oslo: Record<string, NewValue> = {
  name: 'Oslo',
  size: 'medium',
  population: 717_710,
  area: 454.1,
  capital: true,
  founded: '1048-01-01',
  surveyed: '2026-11-22T14:04:05.25Z',
  names: { no: 'Oslo' },
}
const others: Record<string, NewValue>[] = [
  { name: 'Lagos', size: 'large', population: 15_388_000, capital: false },
  { name: 'Rome', size: 'medium', population: 2_748_109, capital: true },
  { name: 'Tokyo', size: 'large', population: 37_036_200, capital: true },
]

/** Adds the repository with Oslo, which has all values, and cities that have no optional ones. */
export async function addCities(client: Client, name: string): Promise<number[]> {
  await createCities(client, name)
  const ids = []
  for (const city of [oslo, ...others]) ids.push(await addItem(client, name, city))
  return ids
}
