import type { Client } from '@vitrine/client'
import { cities } from './cities.ts'
import { countries, regions } from './countries.ts'
import { emoji, emojiCategories } from './emoji.ts'
import { loadRepo, type LoadOptions } from './load-repo.ts'
import { readDescription } from './read-description.ts'

/** A view comes after its base. */
const views = ['flags', 'flag-quiz', 'country-facts', 'city-populations', 'emoji-captions']

/**
 * Loads the demo through the public API: repositories, a target before what refers to it, then views.
 * What is there already stays as it is.
 * @throws ApiError when the server refuses
 */
export async function loadDemo(
  client: Client,
  { cityCount, ...options }: LoadOptions & { cityCount: number },
): Promise<{ repos: number; items: number; views: number }> {
  const repos = [regions, countries, cities(cityCount), emojiCategories, emoji]
  const loaded = new Map<string, Map<string, number>>()
  for (const repo of repos) loaded.set(repo.name, await loadRepo(client, repo, loaded, options))
  for (const view of views) await client.viewCreate({ body: await readDescription(view) })
  const items = loaded.values().reduce((sum, ids) => sum + ids.size, 0)
  return { repos: repos.length, items, views: views.length }
}
