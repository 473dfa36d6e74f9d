import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Node's `gc` (`--expose-gc`): of the young, or of all with what the engine keeps for later. */
export const collectGarbage = runInNewContext('gc') as (
  options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' },
) => void
