import type { OpenedClient } from '../sign-in/open-client.ts'
import { addItems } from './add-items.ts'
import { cities } from './cities.ts'
import { countries, regions } from './countries.ts'
import { emoji, emojiCategories } from './emoji.ts'
import { importItems } from './import-items.ts'
import { type LoadOptions, loadRepo, readDescription } from './load-repo.ts'

/** Cities of the demo on a server without imports, where each is added by itself. */
const singlyAddedCities = 3000

/** A view comes after its base. */
const views = [
  'flags',
  'flag-quiz',
  'african-flags',
  'country-facts',
  'eu-members',
  'landlocked-countries',
  'city-populations',
  'largest-cities',
  'megacities',
  'eu-cities',
  'emoji-captions',
  'animals-train',
  'animals-test',
]

/**
 * Loads the demo through the public API: repositories, a target before what refers to it, then views.
 * A server that announces `import` is given them by imports. What is there already stays as it is.
 * @throws ApiError when the server refuses
 */
export async function loadDemo(
  { client, features }: OpenedClient,
  { cityCount, ...options }: LoadOptions & { cityCount: number | undefined },
): Promise<{ repos: number; items: number; views: number }> {
  const byImport = features.includes('import')
  const add = byImport ? importItems : addItems
  const largest = cities(cityCount ?? (byImport ? Infinity : singlyAddedCities))
  const repos = [regions, countries, largest, emojiCategories, emoji]
  const loaded = new Map<string, ReadonlyMap<string, number>>()
  for (const repo of repos) {
    loaded.set(repo.name, await loadRepo(client, repo, loaded, { ...options, addItems: add }))
  }
  for (const view of views) await client.viewCreate({ body: await readDescription(view) })
  const items = loaded.values().reduce((sum, ids) => sum + ids.size, 0)
  return { repos: repos.length, items, views: views.length }
}
