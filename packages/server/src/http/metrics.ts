import type { BlobHealth } from '../blobs/blob-health.ts'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  observe: (request: { call: string; status: number; seconds: number }) => void
}

/** What is measured; `countItems` is asked when somebody looks. */
export function createMetrics(countItems: () => Promise<number>, health: BlobHealth): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'Time from a request to the end of its reply, by call and status; its count is the requests',
    labelNames: ['call', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  void new Gauge({
    name: 'vitrine_items_committed',
    help: 'Committed items in all repositories',
    registers: [registry],
    async collect() {
      this.set(await countItems())
    },
  })
  void new Gauge({
    name: 'vitrine_blobs_withheld',
    help: 'Files unknown to the database that the last collection left alone, as they were too many',
    registers: [registry],
    collect() {
      this.set(health.withheldOrphans)
    },
  })
  return {
    registry,
    observe: ({ call, status, seconds }) => durations.observe({ call, status }, seconds),
  }
}
