import { drawMap, isPlace } from './draw-map.ts'
import { placeFields } from './place-fields.ts'
import { pointRows, pointTitle } from './point-rows.ts'
import type { PointOptions, PointPlot } from './point-plot.ts'

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
