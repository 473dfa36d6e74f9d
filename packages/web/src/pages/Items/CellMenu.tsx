import {
  plainText,
  queryText,
  type Comparison,
  type Item,
  type ShownField,
} from '@vitrine/contract'
import { hasComparison } from '../../explore/facet-filters.ts'
import { filtersOf, whereOf } from '../../explore/filters.ts'
import type { ExplorationState } from '../../explore/use-exploration.ts'
import { valueComparison } from '../../explore/value-comparison.ts'
import type { MenuEntry } from '../../ui/Menu.tsx'
import { MenuButton } from '../../ui/MenuButton.tsx'
import classes from './CellMenu.module.css'

type Props = {
  field: ShownField
  item: Item
  explored: ExplorationState
  /** Shows the item beside the table, where there is room. */
  onShowBeside?: (() => void) | undefined
}

/** Menu of a cell: filter by its value, or for the others, and copy it. */
export function CellMenu({ field: { name, type }, item, explored, onShowBeside }: Props) {
  const value = item.data[name]
  const [comparison, others] = comparisonsOf(type, value)
  const noun = value === undefined ? missingNoun(type) : 'this value'
  const isCut = item.cut?.[name] !== undefined
  const filter = (label: string, comparison: Comparison | undefined): MenuEntry => {
    if (isCut) return { label, whyNot: tooLong }
    const run = comparison && filterBy(comparison)
    if (run === undefined) return { label, whyNot: 'JSON is not compared as a whole' }
    return run === 'too long' ? { label, whyNot: tooLong } : { label, run }
  }
  const filterBy = (comparison: Comparison): (() => void) | 'too long' => {
    const { where } = explored.exploration
    if (hasComparison(where, name, comparison)) return () => {}
    const next = whereOf([...filtersOf(where), { [name]: comparison }])
    if (encodeURIComponent(queryText(next)).length > mostOfAddress) return 'too long'
    return () => explored.setWhere(next)
  }
  const copy = (label: string, text: string): MenuEntry =>
    isCut
      ? { label, whyNot: 'Only its beginning is here: copy it where the item is shown' }
      : { label, run: () => void navigator.clipboard.writeText(text) }
  const entries = () => [
    filter(`Filter for ${noun}`, comparison),
    filter(`Filter without ${noun}`, others),
    ...(value !== undefined && 'clipboard' in navigator
      ? [copy(type === 'binary' ? 'Copy sha256' : 'Copy value', plainText(value))]
      : []),
    ...(onShowBeside ? [{ label: 'Show item beside the table', run: onShowBeside }] : []),
  ]
  return (
    <MenuButton label={`${name} of item ${item.id}`} className={classes.button} entries={entries} />
  )
}

const tooLong = 'It is too long for an address'

/** Characters of a filter in an address, which a server takes within 16 KiB with the headers (`limits.headerBytes`). */
const mostOfAddress = 8000

function comparisonsOf(
  type: string,
  value: Item['data'][string] | undefined,
): [Comparison | undefined, Comparison | undefined] {
  if (value === undefined) return [{ empty: true }, { empty: false }]
  const is = valueComparison(type, value)
  const isNot = valueComparison(type, value, 'neq')
  return [is, isNot]
}

/** Returns the noun for values that are absent; of texts, '' counts as well. */
function missingNoun(type: string): string {
  return type === 'string' ? 'missing or empty' : 'missing'
}
