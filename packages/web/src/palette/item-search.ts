import { foldSearch, type DatasetInfo, type Exploration } from '@vitrine/contract'

/** Words for the items of a dataset: `cities ulm` asks for `ulm` in `cities`. */
export type ItemWords = { dataset: string; words: string }

/** Takes an input of several words apart; undefined of less. */
export function itemWords(text: string): ItemWords | undefined {
  const found = /^\s*(\S+)\s+(\S.*?)\s*$/su.exec(text)
  return found === null ? undefined : { dataset: found[1]!, words: found[2]! }
}

/** The dataset that a word means: the one of that name, or else the first whose name begins with it. */
export function meantDataset(word: string, names: readonly string[]): string | undefined {
  const folded = foldSearch(word)
  return (
    names.find((name) => name === word) ??
    names.find((name) => foldSearch(name) === folded) ??
    names.find((name) => foldSearch(name).startsWith(folded))
  )
}

/** The items whose label, or else first text, has the words; undefined of a dataset without texts. */
export function itemsWithWords(info: DatasetInfo, words: string): Exploration | undefined {
  const texts = info.schema.filter(({ type }) => type === 'string').map(({ name }) => name)
  const label = info.repo?.['label']
  const field = texts.find((name) => name === label) ?? texts[0]
  return field === undefined ? undefined : { where: { [field]: { search: words } } }
}
