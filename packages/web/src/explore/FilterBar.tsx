import { Button } from '@mantine/core'
import { IconFilterPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import {
  type Condition,
  type ShownField,
  isPart,
  labelField,
  searchedFields,
  searchedLabel,
  searchedReferences,
  searchedWhere,
} from '@vitrine/contract'
import { useQueries } from '@tanstack/react-query'
import { useApp } from '../app-context.tsx'
import { useCommands } from '../palette/screen-commands.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Chip } from '../ui/Chip.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { useMayCreate } from '../roles.ts'
import classes from './FilterBar.module.css'
import { filterText } from './filter-text.ts'
import { type Filter, filtersOf, whereOf } from './filters.ts'
import { simpleFilter } from './simple-filter.ts'
import { orderText } from './sort-order.ts'
import type { ExplorationState } from './use-exploration.ts'
import { useItemNames } from './use-item-names.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const FilterDialog = lazyPart(async () => (await import('./FilterDialog.tsx')).FilterDialog)

type Props = {
  datasetId: string
  /** Undefined until it is loaded. */
  schema: readonly ShownField[] | undefined
  explored: ExplorationState
  /** How many items pass, once known. */
  count: ReactNode
}

/** Words that are looked for in the items below, and their filters and order as chips that can be removed. */
export function FilterBar({ datasetId, schema, explored, count }: Props) {
  const { features } = useApp()
  const { exploration, setWhere, setOrder, setWords } = explored
  const filters = filtersOf(exploration.where)
  const nameOf = useItemNames(datasetId, exploration.where)
  const add = useRef<HTMLButtonElement>(null)
  // The place of the filter that is being written: behind the last one for a new one.
  const [edited, setEdited] = useState<number>()
  const { order, q, current } = exploration
  // Which condition words mean depends on the fields, and on those of what references lead to.
  const inLabels = useSearchedLabels(schema, q)
  const isExplored = isPart(exploration) || order !== undefined
  const mayCreate = useMayCreate()
  const canSave =
    mayCreate === true &&
    isExplored &&
    (q === undefined || (schema !== undefined && inLabels !== undefined))
  const hasTexts =
    schema === undefined ||
    searchedFields(schema).length > 0 ||
    (features.includes('q-labels') && searchedReferences(schema).length > 0)

  // What no form shows is edited in the language itself.
  const asText = paths.saveAsView(datasetId, {
    current,
    where: searchedWhere(exploration, schema ?? [], inLabels),
    order,
  })
  useCommands([
    { label: 'Add filter', run: () => setEdited(filters.length) },
    ...(canSave ? [{ label: 'Save as view', to: asText }] : []),
  ])
  const remove = (change: () => void) => {
    // The button that was pressed goes away, and the focus must not go with it.
    add.current?.focus()
    change()
  }
  const put = (filter: Filter, place: number) => {
    setEdited(undefined)
    setWhere(whereOf(filters.toSpliced(place, 1, filter)))
  }
  return (
    <section className={classes.bar} aria-label="Filters">
      {features.includes('q') && (
        <search className={classes.search}>
          {q !== undefined && <span className={classes.printed}>Search: {q}</span>}
          <SearchBox
            label="Search items"
            placeholder={hasTexts ? 'Words in any text' : 'No texts to search'}
            // An address may have words for what has no text: they can be taken away.
            disabled={!hasTexts && q === undefined}
            // The server looks at all items for each text, also once another one is typed.
            pauseMs={300}
            value={q ?? ''}
            onSearch={setWords}
          />
        </search>
      )}
      <Button
        ref={add}
        variant="default"
        size="compact-md"
        leftSection={<IconFilterPlus size={16} aria-hidden />}
        onClick={() => setEdited(filters.length)}
      >
        Add filter
      </Button>
      {filters.map((filter, place) => {
        const text = filterText(filter, nameOf)
        return (
          <Chip
            // A filter that was changed is the same chip, to which the focus returns.
            // oxlint-disable-next-line react/no-array-index-key
            key={place}
            removeLabel={`Remove filter: ${text}`}
            onRemove={() => remove(() => setWhere(whereOf(filters.toSpliced(place, 1))))}
            {...(simpleFilter(filter)
              ? { title: text, edit: () => setEdited(place) }
              : { title: `${text}: edit as text`, edit: asText })}
          >
            {text}
          </Chip>
        )
      })}
      {exploration.order !== undefined && (
        <Chip
          removeLabel="Remove sorting"
          title={`sorted by ${orderText(exploration.order)}`}
          onRemove={() => remove(() => setOrder(undefined))}
        >
          sorted by {orderText(exploration.order)}
        </Chip>
      )}
      {/* Which looks there are depends on the fields: the others would move. */}
      <div
        key={schema === undefined ? 'awaited' : 'known'}
        className={classes.end}
        data-awaited={schema === undefined || undefined}
      >
        {count}
        {isExplored && (
          <span className={classes.save} data-awaited={!canSave || undefined}>
            <ButtonLink to={asText} variant="default" size="compact-md">
              Save as view
            </ButtonLink>
          </span>
        )}
      </div>
      {edited !== undefined && (
        <Suspense>
          <FilterDialog
            datasetId={datasetId}
            filter={filters[edited]}
            startPath={exploration.order?.[0]?.replace(/^-/, '')}
            onClose={() => setEdited(undefined)}
            onDone={(filter) => put(filter, edited)}
          />
        </Suspense>
      )}
    </section>
  )
}

/**
 * Loads the conditions that words are in the labels of what references lead to; undefined until they are known.
 * There are none on a server that does not look there.
 */
function useSearchedLabels(
  schema: readonly ShownField[] | undefined,
  q: string | undefined,
): Condition[] | undefined {
  const { queries, features } = useApp()
  const isSearched = q !== undefined && features.includes('q-labels')
  const references = isSearched ? searchedReferences(schema ?? []) : []
  const targets = useQueries({
    queries: references.map(({ target }) => queries.datasetGet(target)),
  })
  if (targets.some(({ data }) => data === undefined)) return undefined
  return references.flatMap(({ name }, index) => {
    const info = targets[index]?.data
    const label = info && labelField(info)
    return label === undefined ? [] : [searchedLabel(name, label, q!)]
  })
}
