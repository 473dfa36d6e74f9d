import type { Problem, ViewPreview } from '@vitrine/contract'
import { useMemo } from 'react'
import { useApp } from '../../app-context.tsx'
import { itemColumns } from '../../values/item-columns.tsx'
import { fieldNote } from '../../values/field-note.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import { Table } from '../../ui/Table.tsx'
import type { DatasetLookup } from '../suggest/suggest.ts'
import { dataAt } from '../suggest/yaml-place.ts'
import { clauseText } from './clause-text.ts'
import { Funnel } from './Funnel.tsx'
import classes from './PreviewPane.module.css'
import { type Previewed, usePreview } from './use-preview.ts'

export type PreviewPaneProps = {
  text: string
  lookup: DatasetLookup
  /** Shows a place of the text. */
  onGoTo: (offset: number) => void
}

/** Preview of a view, beside its description. */
export function PreviewPane({ text, lookup, onGoTo }: PreviewPaneProps) {
  const { state, shown, stale, error, retry } = usePreview(text, lookup)
  return (
    <section aria-label="Preview" aria-busy={stale && state === 'view'} className={classes.pane}>
      <div className={classes.head}>
        <h2>Preview</h2>
        <output className={classes.total}>
          {shown !== undefined && error === null && totalText(shown.preview)}
          {shown !== undefined && state === 'wrong' && (
            <span className={classes.old}> before the last change</span>
          )}
        </output>
      </div>
      {error !== null && <ErrorBox error={error} onRetry={retry} />}
      {shown === undefined && error === null && <p className={classes.hint}>{hints[state]}</p>}
      {shown !== undefined && error === null && (
        <div className={classes.body} data-stale={stale || undefined}>
          <Shown shown={shown} onGoTo={onGoTo} />
        </div>
      )}
    </section>
  )
}

const hints: Record<Previewed['state'], string> = {
  empty: 'What the view shows appears here once it has a base.',
  wrong: 'What the view shows appears here once its description has no problem.',
  view: 'Looking…',
}

/** Such as `12 items`, or `at least 12 items, first 23,000 of 1,000,000 looked at`. */
function totalText({ totalItems, exact, scanned, total }: ViewPreview): string {
  if (exact) return showItems(totalItems)
  const looked =
    total === undefined
      ? ''
      : `, first ${scanned.toLocaleString()} of ${total.toLocaleString()} looked at`
  return `at least ${showItems(totalItems)}${looked}`
}

type Step = ViewPreview['funnel'][number]

type ShownProps = { shown: NonNullable<Previewed['shown']>; onGoTo: PreviewPaneProps['onGoTo'] }

function Shown({ shown: { preview, reading }, onGoTo }: ShownProps) {
  const { schema, items, funnel, exact } = preview
  const { base, body, place } = reading
  const { features } = useApp()
  const columns = useMemo(
    () =>
      itemColumns({
        datasetId: base,
        schema,
        features,
        contentField: (name) => contentField(body, name),
      }),
    [base, schema, features, body],
  )
  const goTo = (path: Problem['path']) => onGoTo(place({ path, reason: '', atKey: true }).from)
  const textOf = ({ at }: Pick<Step, 'at'>) => clauseText(body, at)
  const isOrdered = dataAt(body, ['order']) !== undefined
  const dry = funnel.find(({ count }) => count === 0)
  return (
    <>
      <Funnel steps={funnel} textOf={textOf} onGoTo={goTo} />
      <ul className={classes.schema} aria-label="Inferred schema">
        {schema.map((field) => (
          <li key={field.name}>
            <b>{field.name}</b> {fieldNote(field)}
            <Unparsed field={field} preview={preview} />
          </li>
        ))}
      </ul>
      {items.length === 0 ? (
        <EmptyState
          text={
            exact
              ? `${dry === undefined ? base : textOf(dry)} lets no item through`
              : 'No items found so far'
          }
        />
      ) : (
        <>
          {isOrdered && !exact && (
            <p className={classes.old}>
              The first of the items looked at so far: others may still come before them.
            </p>
          )}
          <Table
            label="First items"
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            expectedRows={0}
          />
        </>
      )}
    </>
  )
}

type UnparsedProps = { field: ViewPreview['schema'][number]; preview: ViewPreview }

/** How many values of a cast field are missing as they cannot be read. */
function Unparsed({ field: { name, type }, preview: { unparsed, exact } }: UnparsedProps) {
  const count = unparsed?.find(({ field }) => field === name)?.count ?? 0
  if (count === 0) return null
  return (
    <span className={classes.unparsed}>
      {' '}
      {exact ? '' : 'at least '}
      {count.toLocaleString()} {count === 1 ? 'value is' : 'values are'} no {type}
    </span>
  )
}

/** Finds the base's name of a field of a described view; undefined for one that follows references. */
export function contentField(description: unknown, name: string): string | undefined {
  const fields = dataAt(description, ['fields'])
  if (!Array.isArray(fields)) return name
  const picked: unknown = fields.find((field) => dataAt(field, ['name']) === name)
  const from = picked === undefined ? name : dataAt(picked, ['from'])
  return typeof from === 'string' && !from.includes('.') ? from : undefined
}
