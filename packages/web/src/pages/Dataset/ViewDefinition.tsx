import { type DatasetInfo, baseOf } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { explorationOf, paths } from '../../paths.ts'
import { type ItemName, filterText } from '../../explore/filter-text.ts'
import { filtersOf } from '../../explore/filters.ts'
import { useItemNames } from '../../explore/use-item-names.ts'
import { orderText } from '../../explore/sort-order.ts'
import { FieldList } from '../../ui/FieldList.tsx'

type View = NonNullable<DatasetInfo['view']>

/** A view's definition for reading, clause by clause; its JSON stands beside it. */
export function ViewDefinition({ view }: { view: View }) {
  const clauses = Object.entries(view)
    .filter(([name]) => !['name', 'description'].includes(name))
    .map(([name, value]) => ({ name, type: meanings[name] ?? '', value }))
  const nameOf = useItemNames(baseOf(view).name, explorationOf(view).where)
  return (
    <FieldList fields={clauses}>
      {({ name, value }) => <p>{readable(name, value, nameOf)}</p>}
    </FieldList>
  )
}

const meanings: Readonly<Record<string, string>> = {
  base: 'what it is derived from',
  where: 'what it keeps',
  split: 'the part it keeps',
  order: 'what comes first',
  limit: 'the most it keeps',
  fields: 'what it shows',
}

function readable(clause: string, value: unknown, nameOf: ItemName): ReactNode {
  const { where, order } = explorationOf({ [clause]: value })
  if (where !== undefined) {
    return filtersOf(where)
      .map((filter) => filterText(filter, nameOf))
      .join(', and ')
  }
  if (order !== undefined) return orderText(order)
  if (clause === 'base') return <Link to={paths.dataset(String(value))}>{String(value)}</Link>
  if (clause === 'fields' && Array.isArray(value)) return value.map(pickedText).join(', ')
  if (clause === 'fields' && isExcept(value)) return `all but ${value.except.join(', ')}`
  return <code>{JSON.stringify(value)}</code>
}

function isExcept(value: unknown): value is { except: unknown[] } {
  return (
    typeof value === 'object' && value !== null && 'except' in value && Array.isArray(value.except)
  )
}

/** One picked field; another server's definition may write it as the bare name. */
function pickedText(picked: unknown): string {
  if (typeof picked !== 'object' || picked === null) return String(picked)
  const { name, from } = picked as { name?: unknown; from?: unknown }
  return name === from ? String(name) : `${String(name)} (from ${String(from)})`
}
