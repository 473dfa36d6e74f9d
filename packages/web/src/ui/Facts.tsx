import type { ReactNode } from 'react'
import classes from './Facts.module.css'

type Props = {
  facts: readonly (readonly [string, ReactNode])[]
  /** Gives each fact a column and a line of its own, whatever it is: for those that come later. */
  aligned?: boolean
}

/** Short facts in a line: what it is called, and what it is. */
export function Facts({ facts, aligned = false }: Props) {
  return (
    <dl className={classes.facts} data-aligned={aligned || undefined}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
