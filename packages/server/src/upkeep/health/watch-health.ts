import type { FastifyBaseLogger } from 'fastify'
import type { Checks, Part } from './checks.ts'
import { Probe } from './probe.ts'

/** In milliseconds. The provider may be somebody else's: it is asked for two documents a minute. */
const times: Record<Part, { every: number; timeout: number }> = {
  database: { every: 10_000, timeout: 3_000 },
  blobs: { every: 10_000, timeout: 5_000 },
  provider: { every: 60_000, timeout: 15_000 },
}

const messages: Record<Part, { down: string; up: string }> = {
  database: { down: 'the database is down', up: 'the database is up again' },
  blobs: { down: 'the blob store is down', up: 'the blob store is up again' },
  provider: {
    down: 'the identity provider cannot be used: nobody can sign in until it can',
    up: 'the identity provider can be used again',
  },
}

export type HealthReport = Record<Part, 'up' | 'down'>

export type Health = {
  /** The result of the last checks; the database is asked again, once for all who wait. */
  report: () => Promise<HealthReport>
  stop: () => void
}

/** Checks everything that the server depends on in the background, and logs what changes. */
export function watchHealth(
  checks: Checks,
  { logger, everyMs }: { logger: FastifyBaseLogger; everyMs?: number | undefined },
): Health {
  const watch = (part: Part) =>
    new Probe(checks[part], {
      everyMs: everyMs ?? times[part].every,
      timeoutMs: times[part].timeout,
      onChange: (failure) => {
        const { down, up } = messages[part]
        if (failure === undefined) logger.info(up)
        // Keys that were fetched serve on without the provider.
        else if (part === 'provider') logger.warn({ err: failure }, down)
        else logger.error({ err: failure }, down)
      },
    })
  const probes = {
    database: watch('database'),
    blobs: watch('blobs'),
    provider: watch('provider'),
  }
  const all = Object.values(probes)
  for (const probe of all) void probe.refresh()
  return {
    report: async () => {
      await probes.database.refresh()
      const stateOf = ({ isUp }: Probe) => (isUp ? 'up' : 'down')
      const { database, blobs, provider } = probes
      return { database: stateOf(database), blobs: stateOf(blobs), provider: stateOf(provider) }
    },
    stop: () => {
      for (const probe of all) probe.stop()
    },
  }
}
