import { type PlotOptions, plot } from '@observablehq/plot'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { saveBlob } from '../../../ui/blob-url.ts'
import { TextSkeleton } from '../../../ui/TextSkeleton.tsx'
import classes from './Chart.module.css'
import { standaloneSvg } from './standalone-svg.ts'

type Props<Datum> = {
  /** Says what is shown. */
  label: string
  /** Says of which items it is; undefined until that is known. */
  note: string | undefined
  /** The name of the file that it is saved as. */
  fileName: string
  /** Says how it is drawn as wide as this; undefined until it is known. */
  draw: ((width: number) => PlotOptions) | undefined
  /** Called with the datum nearest to the pointer on a press. */
  onPick?: ((datum: Datum) => void) | undefined
  isStale: boolean
}

const style = { fontFamily: 'inherit', fontSize: 'inherit' }

/** A plot as one picture; below it there is a table of what it shows. */
export function Chart<Datum>({ label, note, fileName, draw, onPick, isStale }: Props<Datum>) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const pick = useEffectEvent((datum: Datum | null) => {
    if (datum !== null) onPick?.(datum)
  })
  useEffect(() => {
    if (width === 0 || draw === undefined) return
    const drawn = plot({ ariaLabel: label, style, ...draw(width), width })
    drawn.setAttribute('role', 'img')
    // A name is for what has a role.
    for (const part of drawn.querySelectorAll('[aria-label]:not([aria-hidden])')) {
      part.setAttribute('data-part', part.ariaLabel!)
      part.removeAttribute('aria-label')
    }
    // The value of a plot is what the pointer points at.
    const onClick = () => pick((drawn as typeof drawn & { value: Datum | null }).value)
    drawn.addEventListener('click', onClick)
    box.current?.replaceChildren(drawn)
    return () => drawn.remove()
  }, [width, label, draw])
  const save = () => {
    const text = standaloneSvg(box.current!.querySelector('svg')!, {
      title: label,
      description: note ?? '',
    })
    saveBlob(new Blob([text], { type: 'image/svg+xml' }), `${fileName}.svg`)
  }
  return (
    <>
      <p className={classes.note}>{note ?? <TextSkeleton width={24} />}</p>
      <div
        ref={box}
        className={classes.chart}
        data-pickable={onPick !== undefined || undefined}
        data-skeleton={draw === undefined || undefined}
        aria-busy={isStale || draw === undefined}
      />
      <Button
        variant="default"
        size="compact-md"
        className={classes.save}
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={draw === undefined}
        onClick={save}
      >
        Download SVG
      </Button>
    </>
  )
}

/** The width of a box in whole pixels; 0 until it is known. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current!
    const measure = () => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
