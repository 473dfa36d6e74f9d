import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** How much one press of a key or button enlarges, and how far it moves, in pixels. */
const step = 1.5
const stride = 80

/** Pixels of a wheel that enlarge e times; a pinch on a touchpad comes as a wheel of small steps. */
const wheelPixels = 500
const pinchPixels = 100
const linePixels = 16

const strides: Record<string, Point> = {
  ArrowLeft: { x: stride, y: 0 },
  ArrowRight: { x: -stride, y: 0 },
  ArrowUp: { x: 0, y: stride },
  ArrowDown: { x: 0, y: -stride },
}

/** Lets the picture on a stage be enlarged and moved by wheel, drag, pinch and keys; `shown` names it. */
export function useZoom(shown: unknown) {
  const stage = useRef<HTMLDivElement>(null)
  const [state, setState] = useState({ shown, zoom: fit })
  const zoom = state.shown === shown ? state.zoom : fit

  const change = (to: (zoom: Zoom) => Zoom) => {
    const element = stage.current
    const picture = element?.querySelector('img')
    if (!element || !picture) return
    setState((now) => {
      const next = to(now.shown === shown ? now.zoom : fit)
      const { offsetWidth: width, offsetHeight: height } = picture
      const room = { width: element.clientWidth, height: element.clientHeight }
      return { shown, zoom: held(next, { width, height }, room) }
    })
  }
  const larger = () => change((now) => enlarged(now, step, fit))
  const smaller = () => change((now) => enlarged(now, 1 / step, fit))
  const reset = () => change(() => fit)

  const onChange = useEffectEvent(change)
  useEffect(() => {
    const element = stage.current
    if (element === null) return
    const ending = new AbortController()
    const { signal } = ending
    const pointers = new Map<number, Point>()
    const fromMiddle = ({ x, y }: Point): Point => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return { x: x - left - width / 2, y: y - top - height / 2 }
    }
    element.addEventListener(
      'wheel',
      (event) => {
        // The page below would scroll.
        event.preventDefault()
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1
        const pixels = event.ctrlKey ? pinchPixels : wheelPixels
        const factor = Math.exp((-event.deltaY * lines) / pixels)
        const at = fromMiddle(event)
        onChange((now) => enlarged(now, factor, at))
      },
      { passive: false, signal },
    )
    element.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return
        element.setPointerCapture(event.pointerId)
        pointers.set(event.pointerId, { x: event.x, y: event.y })
      },
      { signal },
    )
    element.addEventListener(
      'pointermove',
      (event) => {
        const before = pointers.get(event.pointerId)
        if (before === undefined) return
        const after = { x: event.x, y: event.y }
        pointers.set(event.pointerId, after)
        const other = pointers.entries().find(([id]) => id !== event.pointerId)?.[1]
        if (other === undefined) {
          onChange((now) => moved(now, { x: after.x - before.x, y: after.y - before.y }))
          return
        }
        const factor = distance(after, other) / Math.max(1, distance(before, other))
        onChange((now) => enlarged(now, factor, fromMiddle(other)))
      },
      { signal },
    )
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId), { signal })
    }
    // The browser would drag the image away as a file.
    element.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
    return () => ending.abort()
  }, [])

  /** Does what a key means; returns whether it means anything. */
  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const by = strides[key]
    if (key === '+' || key === '=') larger()
    else if (key === '-') smaller()
    else if (key === '0') reset()
    else if (shiftKey && by !== undefined) change((now) => moved(now, by))
    else return false
    return true
  }
  return { stage, zoom, larger, smaller, reset, onKey }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** How a picture lies on its stage: enlarged so many times over its fit, its middle so many pixels off. */
export type Zoom = { scale: number; x: number; y: number }
export type Point = { x: number; y: number }
export type Size = { width: number; height: number }

const fit: Zoom = { scale: 1, x: 0, y: 0 }
const greatest = 16

/** Enlarges about a point, counted from the middle of the stage, which stays where it is. */
function enlarged({ scale, x, y }: Zoom, factor: number, at: Point): Zoom {
  const next = clamped(scale * factor, 1, greatest)
  const ratio = next / scale
  return { scale: next, x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio }
}

function moved({ scale, x, y }: Zoom, by: Point): Zoom {
  return { scale, x: x + by.x, y: y + by.y }
}

/** Keeps the picture from leaving the stage: what fits is in the middle. */
function held({ scale, x, y }: Zoom, picture: Size, stage: Size): Zoom {
  const [beyondX, beyondY] = [
    Math.max(0, (picture.width * scale - stage.width) / 2),
    Math.max(0, (picture.height * scale - stage.height) / 2),
  ]
  return { scale, x: clamped(x, -beyondX, beyondX), y: clamped(y, -beyondY, beyondY) }
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
