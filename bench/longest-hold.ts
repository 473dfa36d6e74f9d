import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The variables by which a server is watched, through a socket at `path`. */
export const watchedThrough = (path: string) => ({
  NODE_OPTIONS: `--import=${fileURLToPath(import.meta.resolve('./watch-event-loop.ts'))}`,
  EVENT_LOOP_SOCKET: path,
})

/** For how long the event loop of a watched server was held at most since this was last asked, in milliseconds. */
export async function longestHold(path: string): Promise<number> {
  return Number(await text(connect(path)))
}
