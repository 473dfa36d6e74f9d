import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/land-110m.json'

const topology = atlas as unknown as Topology<{ land: GeometryCollection }>

/** The lands of the earth by Natural Earth, at 1 to 110 million. */
export const lands = feature(topology, topology.objects.land)
export type Lands = typeof lands
