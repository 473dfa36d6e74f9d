import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoRepo, idOf } from './demo-repo.ts'

/** Entry of emoji-datasource-google's emoji.json, with the keys that are used. */
type Emoji = {
  name: string
  short_names: string[]
  unified: string
  image: string
  category: string
  subcategory: string
  added_in: string
  sort_order: number
}

const folderOf = (setsDir: string) => join(setsDir, 'emoji-datasource-google')

async function readEmoji(setsDir: string): Promise<Emoji[]> {
  const text = await readFile(join(folderOf(setsDir), 'emoji.json'), 'utf8')
  return (JSON.parse(text) as Emoji[]).toSorted((a, b) => a.sort_order - b.sort_order)
}

export const emojiCategories: DemoRepo = {
  name: 'emoji_categories',
  keyField: 'name',
  inFlight: 1,
  items: async (setsDir) => {
    const byCategory = Map.groupBy(await readEmoji(setsDir), ({ category }) => category)
    return [...byCategory].map(([name, emoji]) => ({
      key: name,
      values: () => ({
        name,
        subcategories: [...new Set(emoji.map(({ subcategory }) => subcategory))].join(', '),
      }),
    }))
  },
}

export const emoji: DemoRepo = {
  name: 'emoji',
  keyField: 'code_points',
  inFlight: 16,
  items: async (setsDir, loaded) =>
    (await readEmoji(setsDir)).map((each) => ({
      key: each.unified,
      values: async () => ({
        name: each.name.toLowerCase(),
        short_names: each.short_names.join(', '),
        code_points: each.unified,
        category: idOf(loaded, emojiCategories.name, each.category),
        subcategory: each.subcategory,
        emoji_version: each.added_in,
        picture: await openAsBlob(join(folderOf(setsDir), 'img', 'google', '64', each.image), {
          type: 'image/png',
        }),
      }),
    })),
}
