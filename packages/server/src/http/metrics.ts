import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { BlobHealth } from '../blobs/blobs.ts'
import type { Health } from '../upkeep/health/watch-health.ts'
import type { Part } from '../upkeep/health/checks.ts'

export type Metrics = {
  registry: Registry
  observe: (request: { call: string; status: number; seconds: number }) => void
}

/**
 * Creates the metrics. `countItems` is called on every scrape; while it has no count, or fails, the last one stays, as
 * the other metrics are wanted most in an outage.
 */
export function createMetrics(
  countItems: () => Promise<number | undefined>,
  blobHealth: BlobHealth,
): Metrics {
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
      const count = await countItems().catch(() => undefined)
      if (count !== undefined) this.set(count)
    },
  })
  void new Gauge({
    name: 'vitrine_blobs_damaged',
    help: 'Files and values whose bytes are gone or altered, as far as it is known',
    registers: [registry],
    collect() {
      this.set(blobHealth.damaged)
    },
  })
  void new Counter({
    name: 'vitrine_blobs_healed_total',
    help: 'Damaged files that took their right bytes again from an upload or an import',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(blobHealth.healed)
    },
  })
  void new Gauge({
    name: 'vitrine_blobs_withheld',
    help: 'Files unknown to the database that the last collection left alone, as they were too many',
    registers: [registry],
    collect() {
      this.set(blobHealth.withheldOrphans)
    },
  })
  return {
    registry,
    observe: ({ call, status, seconds }) => durations.observe({ call, status }, seconds),
  }
}

const parts = { database: 'database', blobs: 'blob store', provider: 'identity provider' }

/** Measures whether what the server depends on is up. */
export function measureHealth(registry: Registry, health: Health): void {
  for (const [part, name] of Object.entries(parts) as [Part, string][]) {
    void new Gauge({
      name: `vitrine_${part}_up`,
      help: `1 if the last check of the ${name} succeeded, otherwise 0`,
      registers: [registry],
      async collect() {
        this.set((await health.report())[part] === 'up' ? 1 : 0)
      },
    })
  }
}
