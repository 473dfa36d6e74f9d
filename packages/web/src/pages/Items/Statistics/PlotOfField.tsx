import type { Comparison } from '@vitrine/contract'
import type { CSSProperties, ReactNode } from 'react'
import { showItems } from '../../../ui/show-amounts.ts'
import { ArrowKeyGroup } from '../../../ui/ArrowKeyGroup.tsx'
import { LabelledId } from '../../../values/reference/LabelledId.tsx'
import classes from './ColumnStatistics.module.css'
import type { Mark, Plot } from './plot-of.ts'

type Props = {
  name: string
  plot: Plot
  /** How many values there are. */
  of: number
  /** Target of a reference, where its items have labels. */
  target: string | undefined
  isPressed: (comparison: Comparison) => boolean
  /** Whether a bin lies outside of what was chosen. */
  isBeside: (bin: Comparison) => boolean
  onToggle: (comparison: Comparison) => void
}

/** Bins side by side, or values one below the other; each is a filter. */
export function PlotOfField(props: Props) {
  const { name, plot, of, target, isPressed, isBeside, onToggle } = props
  const most = Math.max(1, ...plot.marks.map(({ count }) => count))
  const what = plot.of === undefined ? name : `${name}, ${plot.of}`
  return (
    <div className={classes.plot} data-kind={plot.kind}>
      <ArrowKeyGroup role="toolbar" label={`Values of ${what}`} className={classes.marks}>
        {plot.marks.map((mark) => (
          <MarkButton
            key={`${mark.id ?? ''} ${mark.text}`}
            mark={mark}
            what={what}
            of={plot.kind === 'bins' ? most : of}
            hasText={plot.kind === 'values'}
            isPressed={mark.comparison !== undefined && isPressed(mark.comparison)}
            isBeside={
              plot.kind === 'bins' && mark.comparison !== undefined && isBeside(mark.comparison)
            }
            onToggle={onToggle}
          >
            {plot.kind === 'values' && (
              <>
                <span className={classes.value} dir="auto">
                  {target !== undefined && mark.id !== undefined ? (
                    <LabelledId target={target} id={mark.id} />
                  ) : (
                    shownText(mark)
                  )}
                </span>
                <span className={classes.count} aria-hidden>
                  {(mark.isLeast === true ? '≥ ' : '') + mark.count.toLocaleString()}
                </span>
              </>
            )}
          </MarkButton>
        ))}
      </ArrowKeyGroup>
    </div>
  )
}

type MarkProps = {
  mark: Mark
  /** The field, or what is measured of it. */
  what: string
  /** The count of which a bar has its whole length. */
  of: number
  /** Whether its content says which value it is; a bar is only a bar. */
  hasText: boolean
  isPressed: boolean
  isBeside: boolean
  onToggle: (comparison: Comparison) => void
  children: ReactNode
}

function MarkButton(props: MarkProps) {
  const { mark, what, of, hasText, isPressed, isBeside, onToggle, children } = props
  const { comparison, count } = mark
  const items = (mark.isLeast === true ? 'at least ' : '') + showItems(count)
  const text = `${what} ${shownText(mark)}: ${items}`
  const look = {
    className: classes.mark,
    style: { '--share': count / of } as CSSProperties,
    'data-beside': isBeside || undefined,
    'data-none': count === 0 || undefined,
  }
  if (comparison === undefined) {
    return (
      <span {...look} title={`${text}; no filter finds exactly these`}>
        {children}
      </span>
    )
  }
  return (
    <button
      type="button"
      {...look}
      title={text}
      aria-label={hasText ? undefined : text}
      aria-pressed={isPressed}
      onClick={() => onToggle(comparison)}
    >
      {hasText && <span className={classes.visuallyHidden}>{what} </span>}
      {children}
      {hasText && <span className={classes.visuallyHidden}>: {items}</span>}
    </button>
  )
}

function shownText({ text }: Mark): string {
  return text.trim() === '' ? '(empty)' : text
}
