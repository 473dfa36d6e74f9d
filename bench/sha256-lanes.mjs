// Measures digests of short values, in microseconds of processor time each (packages/sha256-lanes/README.md).
import { hash } from 'node:crypto'
import { growMemory, openLanes } from '../packages/sha256-lanes/src/sha256-lanes.ts'

const values = Array.from({ length: 100_000 }, (_, at) =>
  `value ${at * 7919}`.slice(0, 5 + (at % 16)),
)
const lanes = openLanes()
const bytes = growMemory(lanes.memory, 1024 ** 2)

function measure(what, work) {
  const turns = 20
  work()
  const before = process.cpuUsage()
  for (let turn = 0; turn < turns; turn += 1) work()
  const { user, system } = process.cpuUsage(before)
  console.log(`${what}: ${((user + system) / (turns * values.length)).toFixed(2)} µs`)
}

measure('node:crypto, as a buffer', () => {
  for (const value of values) hash('sha256', value, 'buffer')
})
measure('node:crypto, as text that is written', () => {
  for (const value of values) bytes.write(hash('sha256', value, 'binary'), lanes.start, 'latin1')
})
measure('sha256-lanes', () => {
  const messages = lanes.start + 4 * 32
  for (let at = 0; at < values.length; at += 4) {
    const places = []
    for (let lane = 0; lane < 4; lane += 1) {
      const from = messages + lane * 64
      places.push(from, bytes.latin1Write(values[at + lane], from), lanes.start + lane * 32)
    }
    lanes.hash(...places)
  }
})
