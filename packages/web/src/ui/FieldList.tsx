import type { ReactNode } from 'react'
import { TextSkeleton } from './TextSkeleton.tsx'
import classes from './FieldList.module.css'

type Field = { name: string; type: string }

/** Fields one below the other, each with its name and type; absent while they load. */
export function FieldList<F extends Field>({ fields, children }: Props<F>) {
  return (
    <dl className={classes.list} aria-busy={fields === undefined}>
      {fields === undefined
        ? [8, 12, 10, 9].map((width) => (
            <div key={width} className={classes.field}>
              <dt>
                <TextSkeleton width={width} />
              </dt>
              <dd>
                <TextSkeleton width={width * 3} />
              </dd>
            </div>
          ))
        : fields.map((field) => (
            <div key={field.name} className={classes.field}>
              <dt>
                {field.name}
                <span className={classes.type}>{field.type}</span>
              </dt>
              <dd>{children(field)}</dd>
            </div>
          ))}
    </dl>
  )
}

type Props<F> = {
  fields: readonly F[] | undefined
  children: (field: F) => ReactNode
}
