import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Details } from '../../../ui/Details.tsx'
import classes from './ValuesTable.module.css'

type Row = {
  name: string
  values: readonly string[]
  isPressed?: boolean
  /** Filters by it. */
  onPress?: (() => void) | undefined
  /** Path of a link. */
  to?: string
}

type Props = {
  label: string
  summary?: string
  /** Headers of the names, and of the values. */
  heads: readonly string[]
  rows: readonly Row[]
  /** Shows more rows, where there are more. */
  more?: ReactNode
  /** Kept in the history beside the address of an item. */
  linkState?: object | undefined
}

/** Table of a plot's values, for those who do not see it, and for the keyboard. */
export function ValuesTable({
  label,
  summary = 'Show values',
  heads,
  rows,
  more,
  linkState,
}: Props) {
  return (
    <Details summary={summary}>
      {/* Scrolls by itself, so it must be reached. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={classes.box} aria-label={label} tabIndex={0}>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values, isPressed, onPress, to }, index) => (
              // Two values may have the same text.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={`${index} ${name}`}>
                <th scope="row">
                  {to !== undefined ? (
                    <Link to={to} state={linkState}>
                      <bdi>{name}</bdi>
                    </Link>
                  ) : onPress === undefined ? (
                    <bdi>{name}</bdi>
                  ) : (
                    <button
                      type="button"
                      className={classes.pick}
                      aria-pressed={isPressed}
                      onClick={onPress}
                    >
                      <bdi>{name}</bdi>
                    </button>
                  )}
                </th>
                {values.map((value, place) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={place}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more}
    </Details>
  )
}
