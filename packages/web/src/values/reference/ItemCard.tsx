import { useQuery } from '@tanstack/react-query'
import { itemLabel } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { FieldCell } from '../fields.tsx'
import classes from './ItemCard.module.css'
import { LabelledId } from './LabelledId.tsx'
import { isNotFound, noSuchItem } from './missing-references.ts'

/** Fields that have a value, of which a card shows the first. */
const fieldsMax = 7

/** Card of an item: its label, its place, and the values of its first fields, each on one line. */
export function ItemCard({ target, id }: { target: string; id: number }) {
  const { queries } = useApp()
  const dataset = useQuery(queries.datasetGet(target))
  const item = useQuery(queries.datasetItemGet(target, id))
  const error = item.error ?? dataset.error
  if (error !== null) {
    return (
      <p className={classes.place}>
        {isNotFound(error) ? noSuchItem(target, String(id)) : error.message}
      </p>
    )
  }
  const [info, record] = [dataset.data, item.data]
  const isThere = info !== undefined && record !== undefined
  const fields = isThere ? info.schema.filter(({ name }) => record.data[name] !== undefined) : []
  return (
    <>
      <p className={classes.label} dir="auto">
        {isThere ? (itemLabel(info, record) ?? `Item ${id}`) : <TextSkeleton width={20} />}
      </p>
      <p className={classes.place}>
        <bdi>{target}</bdi> / {id}
      </p>
      <dl className={classes.fields}>
        {fields.slice(0, fieldsMax).map((field) => (
          <div key={field.name}>
            <dt title={field.name}>{field.name}</dt>
            <dd>
              {field.target === undefined ? (
                <FieldCell
                  field={field}
                  value={record!.data[field.name]}
                  content={{ datasetId: target, itemId: id, fieldName: field.name }}
                  words={[]}
                />
              ) : (
                <LabelledId target={field.target} id={Number(record!.data[field.name])} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
