import { registerHooks } from 'node:module'

/**
 * Preload of a server that writes no log, for measuring what the log costs: no seals, no hashes of entries and no tree, as
 * of items from before there was a log. A text is replaced in each of these modules, and has to be there once.
 */
const replacements: Record<string, [text: string, by: string][]> = {
  '/server/src/store/items.ts': [
    ['sealOf([...item.values].map(([field, value]) => ({ field, ...value })))', "''"],
    ['nonceOf(dataset.nonces, { id: item.id, position })', '{}'],
    [
      'leafOf({ id: item.id, createdAt: entryTime(moment), by, ...nonce, seal, ...replacing })',
      'null',
    ],
  ],
  '/server/src/imports/rows/packed-rows.ts': [
    ['const flags = hasSeals | (', 'const flags = ('],
    ['this.#putSeals(digestsFrom)\n', 'this.#hashLanes()\n    this.#binaries.length = 0\n'],
  ],
  '/server/src/log/logs.ts': [['wake(): void {', 'wake(): void {\n    return']],
}

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const [, texts] = Object.entries(replacements).find(([path]) => url.endsWith(path)) ?? []
    if (texts === undefined) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString()
    for (const [text, by] of texts) {
      if (source.split(text).length !== 2) throw new Error(`${url} has not once: ${text}`)
      source = source.replace(text, by)
    }
    return { ...loaded, source }
  },
})
