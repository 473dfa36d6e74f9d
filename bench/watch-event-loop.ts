import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server before anything else: whoever connects to the socket is told for how long its event
 * loop was held at most since the last time, in milliseconds. To a millisecond, which the server's own
 * metric is not: that looks every ten, and counts them.
 */
const resolution = 1

// The server's threads load it, too.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  createServer((socket) => {
    socket.end(String(delay.max / 1e6 - resolution))
    delay.reset()
  })
    .listen(process.env['EVENT_LOOP_SOCKET'])
    .unref()
}
