import type { ViewPreview } from '@vitrine/contract'
import type { ReactNode } from 'react'
import classes from './Funnel.module.css'

type Step = ViewPreview['funnel'][number]

type Props = {
  steps: readonly Step[]
  /** The clause of a step as it would be written on one line. */
  textOf: (step: Step) => string
  /** Shows the place of a clause; left out where there is no text with it. */
  onGoTo?: (at: Step['at']) => void
}

/** How many items each clause lets through; the first one that lets none through stands out. */
export function Funnel({ steps, textOf, onGoTo }: Props) {
  const most = Math.max(1, ...steps.map(({ count }) => count))
  const dry = steps.findIndex(({ count, exact }) => count === 0 && exact)
  return (
    <ol className={classes.funnel} aria-label="Items that each clause lets through">
      {steps.map((step, index) => (
        <li key={JSON.stringify(step.at)} data-dry={index === dry || undefined}>
          <StepLine onClick={onGoTo && (() => onGoTo(step.at))}>
            <code className={classes.clause} title={textOf(step)}>
              {textOf(step)}
            </code>
            <span className={classes.count}>
              {!step.exact && <small>at least </small>}
              {step.count.toLocaleString()}
            </span>
            <span
              className={classes.bar}
              style={{ width: `${(step.count / most) * 100}%` }}
              aria-hidden
            />
          </StepLine>
        </li>
      ))}
    </ol>
  )
}

function StepLine({
  onClick,
  children,
}: {
  onClick: (() => void) | undefined
  children: ReactNode
}) {
  if (onClick === undefined) return <div className={classes.step}>{children}</div>
  return (
    <button type="button" className={classes.step} onClick={onClick}>
      {children}
    </button>
  )
}
