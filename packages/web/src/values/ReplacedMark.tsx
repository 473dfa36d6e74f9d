import type { Replacement } from '@vitrine/contract'
import type { ReactNode } from 'react'
import classes from './ReplacedMark.module.css'

type Props = { replacement: Replacement | undefined; children: ReactNode }

/** Strikes out what names an item that was replaced: it takes no more room then. */
export function ReplacedMark({ replacement, children }: Props) {
  if (replacement === undefined) return children
  const { isWithdrawn, latest } = replacement
  const text = isWithdrawn ? 'withdrawn' : `replaced${latest === undefined ? '' : ` by ${latest}`}`
  return (
    <s className={classes.replaced} title={text}>
      {children}
      <span className={classes.said}> {text}</span>
    </s>
  )
}
