import { type PlotOptions, dot, geo, pointer, sphere, tip } from '@observablehq/plot'
import { placeFields } from './plot-choice.ts'
import { type PointOptions, type PointPlot, pointRows, pointTitle } from './points.ts'
import type { Dot } from './dots-plot.ts'
import type { Lands } from './lands.ts'
import { plotHeight } from './axis.ts'

/** A longitude and a latitude, each item as a dot on a map. */
export function mapPlot({ x, y, points, lands }: PointOptions): PointPlot {
  const isTurned = placeFields([x, y])?.[0] === y
  const places = points
    .map((point) => ({
      x: Number(isTurned ? point.y : point.x),
      y: Number(isTurned ? point.x : point.y),
      title: pointTitle(x, y, point),
      pick: { itemId: point.id },
    }))
    .filter(isPlace)
  const beyond = points.length - places.length
  return {
    title: `Map of ${x.name} and ${y.name}`,
    draw: lands && drawMap(places, lands),
    notes: beyond > 0 ? [`${beyond.toLocaleString()} beyond the map`] : [],
    heads: [x.name, y.name],
    rows: pointRows(points),
  }
}

export type Place = Dot & { x: number; y: number }

/** Part of the earth that is drawn, in degrees. */
export type Extent = { west: number; east: number; south: number; north: number }

/** Degrees from which on all of the earth is drawn, and below which nothing is: coasts are coarse. */
const [widest, tallest, least] = [180, 90, 10]

/** Returns the extent of places, with some room around; undefined where they are all over the earth, or nowhere. */
export function extentOf(places: readonly { x: number; y: number }[]): Extent | undefined {
  if (places.length === 0) return undefined
  const of = (values: readonly number[], limit: number) => {
    const low = values.reduce((one, other) => Math.min(one, other))
    const high = values.reduce((one, other) => Math.max(one, other))
    const room = Math.max((high - low) * 0.05, (least - (high - low)) / 2)
    return [Math.max(-limit, low - room), Math.min(limit, high + room)] as const
  }
  const [west, east] = of(
    places.map(({ x }) => x),
    180,
  )
  const [south, north] = of(
    places.map(({ y }) => y),
    90,
  )
  return east - west > widest || north - south > tallest ? undefined : { west, east, south, north }
}

/** Whether a longitude and a latitude are any; some count longitudes from 0 to 360. */
export function isPlace({ x, y }: { x: number; y: number }): boolean {
  return x >= -180 && x <= 360 && Math.abs(y) <= 90
}

/** Draws places on the lands of the earth, equal in area. */
function drawMap(places: readonly Place[], lands: Lands) {
  const drawn = places.map((place) => ({ ...place, x: place.x > 180 ? place.x - 360 : place.x }))
  const extent = extentOf(drawn)
  return (width: number): PlotOptions => ({
    margin: 1,
    height:
      extent === undefined
        ? Math.min(plotHeight(width), Math.round(width * 0.49))
        : plotHeight(width),
    projection:
      extent === undefined
        ? { type: 'equal-earth', domain: { type: 'Sphere' } }
        : { type: 'equal-earth', domain: outline(extent), rotate: [-middle(extent), 0] },
    marks: [
      geo(lands, { fill: 'var(--sunken)', stroke: 'var(--line-strong)', clip: 'frame' }),
      sphere({ stroke: 'var(--line-strong)', clip: 'frame' }),
      dot(drawn, { x: 'x', y: 'y', r: 2, fill: 'var(--accent)', fillOpacity: 0.5, clip: 'frame' }),
      tip(drawn, pointer({ x: 'x', y: 'y', title: 'title', lineWidth: 34, ariaHidden: 'true' })),
    ],
  })
}

function middle({ west, east }: Extent): number {
  return (west + east) / 2
}

/** Points along the edges: of a polygon it would matter which way around it goes. */
function outline({ west, east, south, north }: Extent) {
  const across = [west, (west + east) / 2, east]
  const up = [south, (south + north) / 2, north]
  return { type: 'MultiPoint' as const, coordinates: across.flatMap((x) => up.map((y) => [x, y])) }
}
