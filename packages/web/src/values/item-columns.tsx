import {
  type Feature,
  searchedFields,
  searchedReferences,
  type Item,
  type Replacement,
  type ShownField,
} from '@vitrine/contract'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { RowCover, RowLink } from '../ui/RowLink.tsx'
import type { Column, Sort } from '../ui/Table.tsx'
import { FieldCell } from './fields.tsx'
import classes from './item-columns.module.css'
import { ReplacedMark } from './ReplacedMark.tsx'
import { webTypeOf } from './web-types.ts'

type Options = {
  /** The dataset that the items link to. */
  datasetId: string
  schema: readonly ShownField[]
  /** Folded words that were looked for in the items. */
  words?: readonly string[]
  /** The features that the server announces. */
  features: readonly Feature[]
  /** Kept in the history beside the address of an item. */
  linkState?: object | undefined
  /** Returns how a column is sorted; undefined if it cannot be. */
  sortOf?: (name: string, type: string) => Sort | undefined
  /** Returns what stands below the head of a field's column, or without a field of that of the ids. */
  belowHeaderOf?: ((field?: ShownField) => ReactNode) | undefined
  /** Returns the menu of a cell. */
  menuOf?: ((field: ShownField, item: Item) => ReactNode) | undefined
  /** Returns what can be done from the head of a field's column. */
  headOf?: ((field: ShownField) => ReactNode) | undefined
  /** Returns how wide the column of a field is, and whether it stays in view. */
  columnOf?: ((name: string) => Pick<Column<never>, 'pinned' | 'resize'>) | undefined
  /** Items that were replaced. */
  replacements?: readonly Replacement[] | undefined
  /** Returns the dataset's own name of a field; undefined if it has no such field. */
  contentField?: (name: string) => string | undefined
}

/** The columns of an items table: id, one column per schema field, and a link. */
export function itemColumns(options: Options): Column<Item>[] {
  const {
    datasetId,
    schema,
    words = none,
    features,
    sortOf,
    contentField = same,
    replacements = [],
  } = options
  const { belowHeaderOf, menuOf, headOf, columnOf, linkState: state } = options
  const inLabels = features.includes('q-labels') ? searchedReferences(schema) : []
  const searched = [...searchedFields(schema), ...inLabels.map(({ name }) => name)]
  const contentOf = (itemId: number, name: string) => {
    const fieldName = contentField(name)
    return fieldName === undefined ? undefined : { datasetId, itemId, fieldName }
  }
  return [
    {
      key: 'id',
      header: 'id',
      belowHeader: belowHeaderOf?.(),
      rowHeader: true,
      sort: sortOf?.('id', 'id'),
      cell: ({ id }) => (
        <RowLink to={paths.item(datasetId, id)} state={state} second>
          <ReplacedMark replacement={replacements.find((each) => each.id === id)}>
            {id}
          </ReplacedMark>
        </RowLink>
      ),
    },
    ...schema.map((field) => {
      const { pinned, resize } = columnOf?.(field.name) ?? {}
      return {
        key: `field ${field.name}`,
        header: field.name,
        belowHeader: belowHeaderOf?.(field),
        action: headOf?.(field),
        end: webTypeOf(field.type, features)?.isRightAligned ?? false,
        sort: sortOf?.(field.name, field.type),
        pinned,
        resize,
        cell: (item: Item) => {
          const value = (
            <FieldCell
              field={field}
              value={item.data[field.name]}
              cut={item.cut?.[field.name]}
              content={contentOf(item.id, field.name)}
              words={searched.includes(field.name) ? words : none}
            />
          )
          return (
            <>
              {resize?.width === undefined ? value : <div className={classes.sized}>{value}</div>}
              {pinned && <RowCover to={paths.item(datasetId, item.id)} state={state} />}
              {menuOf?.(field, item)}
            </>
          )
        },
      }
    }),
    {
      key: 'show',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: ({ id }) => (
        <>
          <RowCover to={paths.item(datasetId, id)} state={state} />
          <RowLink to={paths.item(datasetId, id)} state={state} bounded>
            show
          </RowLink>
        </>
      ),
    },
  ]
}

const none: readonly string[] = []

function same(name: string): string {
  return name
}
