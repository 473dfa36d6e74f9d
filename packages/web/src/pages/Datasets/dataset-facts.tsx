import type { DatasetKind, FoundDataset, ItemCount } from '@vitrine/contract'
import { IconFilter, IconStack2 } from '@tabler/icons-react'
import hidden from '../../ui/visually-hidden.module.css'
import classes from './dataset-facts.module.css'

/** Parts that the list and the cards of datasets share. */

export const kindName: Record<DatasetKind, string> = { repo: 'repository', view: 'view' }

/** The description in two lines, or the fields in which a word was found. */
export function AboutDataset({ dataset }: { dataset: FoundDataset }) {
  const { description, fields } = dataset
  const matches =
    fields.length > 0
      ? `${fields.length === 1 ? 'field' : 'fields'} ${fields.join(', ')}`
      : undefined
  const text = [matches, description].filter((each) => each !== undefined).join(' · ')
  if (text === '') return null
  return (
    <span className={classes.about} title={text} dir="auto">
      {text}
    </span>
  )
}

/** The kind of a dataset as a glyph, which a screen reader says. */
export function KindGlyph({ kind }: { kind: DatasetKind }) {
  const Icon = kind === 'repo' ? IconStack2 : IconFilter
  return (
    <span className={classes.kind} title={kindName[kind]}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={hidden.visuallyHidden}>{kindName[kind]}</span>
    </span>
  )
}

/** How many items there are: `1,234 items`, `at least 412 items` while a view is looking at more. */
export function ItemsOfDataset({ items, alone = false }: { items: ItemCount; alone?: boolean }) {
  const { totalItems, exact = true } = items
  const noun = totalItems === 1 ? ' item' : ' items'
  return (
    <span className={classes.items} title={exact ? undefined : 'The view is looking at its items.'}>
      {exact ? totalItems.toLocaleString() : `at least ${totalItems.toLocaleString()}`}
      <span className={alone ? undefined : classes.noun}>{noun}</span>
    </span>
  )
}
