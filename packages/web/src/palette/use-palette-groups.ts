import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type DatasetInfo,
  type Exploration,
  foldSearch,
  limits,
  searchWords,
} from '@vitrine/contract'
import { useDeferredValue, useSyncExternalStore } from 'react'
import { useApp } from '../app-context.tsx'
import { foundItemEntry } from '../data/found-item.ts'
import { paths } from '../paths.ts'
import { useMayCreate } from '../roles.ts'
import type { Command } from './screen-commands.ts'

/** A line of the palette, whose id stays when others come before it; `about` says more of it. */
export type Entry = Command & { id: string; about?: string }
export type Group = { label: string; entries: Entry[] }

type PaletteOptions = {
  text: string
  recent: readonly string[]
  /** The dataset of the screen, if it is of one. */
  here: string | undefined
  onShortcuts: () => void
}

const places: readonly Command[] = [
  { label: 'Datasets', to: paths.datasets() },
  { label: 'Repos', to: paths.repos() },
  { label: 'Views', to: paths.views() },
]
const creations: readonly Command[] = [
  { label: 'Add repository', to: paths.addRepo() },
  { label: 'Add view', to: paths.addView() },
]

/** Finds the entries of the palette for a text, and whether all of them are loaded. */
export function usePaletteGroups({ text, recent, here, onShortcuts }: PaletteOptions) {
  const { queries, commands, features } = useApp()
  const created = useMayCreate() === true ? creations : []
  const screenCommands = useSyncExternalStore(commands.subscribe, commands.snapshot)
  const q = useDeferredValue(text.trim().slice(0, limits.searchLength))
  const words = q === '' ? undefined : itemWords(q)
  const search = useQuery({
    ...queries.datasetSearch({ q }, 0),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const foundItems = useQuery({ ...queries.itemSearch(q), placeholderData: keepPreviousData })
  const named = useQuery({
    ...queries.datasetSearch({ q: words?.dataset ?? '' }, 0),
    enabled: words !== undefined,
  })
  const names = (named.data ?? []).map(({ name }) => name)
  const meant = words && meantDataset(words.dataset, names)
  const meantInfo = useQuery({ ...queries.datasetGet(meant ?? ''), enabled: meant !== undefined })
  const hereInfo = useQuery({
    ...queries.datasetGet(here ?? ''),
    enabled: here !== undefined && q !== '',
  })
  const isPending = (query: { isFetching: boolean; data: unknown; isPlaceholderData: boolean }) =>
    query.isFetching && (query.data === undefined || query.isPlaceholderData)

  const itemsOf = (info: DatasetInfo | undefined, sought: string): Command[] => {
    const exploration =
      info && features.includes('explore') ? itemsWithWords(info, sought) : undefined
    if (info === undefined || exploration === undefined) return []
    return [{ label: `“${sought}” in ${info.name}`, to: paths.items(info.name, exploration) }]
  }
  const items =
    words === undefined || meant === undefined ? [] : itemsOf(meantInfo.data, words.words)
  const itemsHere = q === '' || items.length > 0 ? [] : itemsOf(hereInfo.data, q)
  const datasets = q === '' ? [] : (search.data ?? [])
  const isNamed = ({ name }: { name: string }) => matches(name, q)
  const byNameFirst = [
    ...datasets.filter(isNamed),
    ...datasets.filter((dataset) => !isNamed(dataset)),
  ]
  const byField = datasets.flatMap(({ name, fields }) => fields.map((field) => ({ name, field })))
  const tokens = features.includes('tokens') ? [{ label: 'Access tokens', to: paths.tokens() }] : []
  const groups: Group[] = [
    group('Items', items),
    group('Recent', q === '' ? recent.map((name) => ({ label: name, to: paths.items(name) })) : []),
    group(
      'On this screen',
      screenCommands.filter(({ label }) => matches(label, q)),
    ),
    group(
      'Datasets',
      byNameFirst.map(({ name, base }) => ({
        label: name,
        to: paths.items(name),
        about: base === undefined ? 'repository' : `view on ${base}`,
      })),
    ),
    group(
      'Fields',
      byField.map(({ name, field }) => ({
        label: field,
        to: paths.dataset(name),
        about: `field of ${name}`,
      })),
    ),
    group('Items here', itemsHere),
    group('Items found', q === '' ? [] : (foundItems.data?.items ?? []).map(foundItemEntry)),
    group(
      'Go to',
      [...places, ...created, ...tokens, { label: 'Shortcuts', run: onShortcuts }].filter(
        ({ label }) => matches(label, q),
      ),
    ),
  ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSettled:
      q === text.trim().slice(0, limits.searchLength) &&
      ![search, foundItems, named, meantInfo, hereInfo].some(isPending),
    error: search.error,
  }
}

function group(label: string, entries: readonly (Command & { about?: string })[]): Group {
  return {
    label,
    entries: entries.map((entry) => ({
      ...entry,
      id: encodeURIComponent(`${label} ${'to' in entry ? entry.to : entry.label} ${entry.label}`),
    })),
  }
}

/** Whether a name has every word of a text in it. */
function matches(name: string, text: string): boolean {
  const folded = foldSearch(name)
  return searchWords(text).every((word) => folded.includes(word))
}

/** Words for the items of a dataset: `cities ulm` asks for `ulm` in `cities`. */
export type ItemWords = { dataset: string; words: string }

/** Takes an input of several words apart; undefined of less. */
export function itemWords(text: string): ItemWords | undefined {
  const match = /^\s*(\S+)\s+(\S.*?)\s*$/su.exec(text)
  return match === null ? undefined : { dataset: match[1]!, words: match[2]! }
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
