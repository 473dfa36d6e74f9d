import { dotsPlot } from './dots-plot.ts'
import { mapPlot } from './map-plot.ts'
import { nameMeansPlot } from './name-means-plot.ts'
import type { PlotMark } from './plot-choice.ts'
import type { PointOptions, PointPlot } from './points.ts'
import { timeMeansPlot } from './time-means-plot.ts'

const plots: Readonly<Record<PlotMark, (options: PointOptions) => PointPlot>> = {
  bars: nameMeansPlot,
  lines: timeMeansPlot,
  dots: dotsPlot,
  map: mapPlot,
}

/** How two columns are drawn with a mark, and the same as rows. */
export function plotOfPoints(mark: PlotMark, options: PointOptions): PointPlot {
  return plots[mark](options)
}
