import type { ShownField } from '@vitrine/contract'
import type { ReactNode } from 'react'
import classes from './FieldFrame.module.css'

type Props = {
  field: ShownField
  /** The id of the input. */
  id: string
  /** Describes the accepted values, such as 'at most 120 characters'. */
  takes: string
  error: string | undefined
  /** A remark on a valid entry. */
  finding?: ReactNode
  /** Shown at the end of the line below the input. */
  aside?: ReactNode
  children: ReactNode
}

/** Lays out a field: its name, the accepted values, the input and the error. */
export function FieldFrame({ field, id, takes, error, finding, aside, children }: Props) {
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label id={`${id}-name`} htmlFor={id} className={classes.name}>
          {field.name}
        </label>
        <span id={`${id}-takes`} className={classes.takes}>
          {field.optional === true ? 'optional' : 'required'}, {takes}
        </span>
      </div>
      {children}
      <div className={classes.foot}>
        <p
          id={`${id}-error`}
          className={classes.error}
          role={error === undefined ? undefined : 'alert'}
        >
          {error}
        </p>
        {error === undefined && <span className={classes.finding}>{finding}</span>}
        <span className={classes.aside}>{aside}</span>
      </div>
    </div>
  )
}

/** Attributes that connect an input with the texts of its frame. */
export function describedInput(id: string, field: ShownField, error: string | undefined) {
  return {
    id,
    'aria-describedby': `${id}-takes ${id}-error`,
    'aria-invalid': error !== undefined,
    'aria-required': field.optional !== true,
  }
}
