// Apart from `functions.ts`, as the thread that writes loads this alone.

import type { DatabaseSync } from 'node:sqlite'

/** Teaches a connection to read and write numbers as ECMA-262 does, to the last bit. */
export function addNumberFunctions(database: DatabaseSync): void {
  const options = { deterministic: true }
  database.function('number_text', options, (number) => (number === null ? null : String(number)))
  database.function('number_of', options, (json) => {
    return json === null || json === 'null' ? null : Number(json)
  })
  database.function('float_bytes', options, (number) => floatBytes(Number(number)))
}

/**
 * The bits of a double, of which the order is that of numbers once the sign is turned, and of negative ones
 * all others too (IEEE 754 §5.10).
 */
function floatBytes(number: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(number + 0)
  const turned = number < 0 ? 0xff : 0
  for (let index = 0; index < bytes.length; index += 1) bytes[index]! ^= turned
  if (turned === 0) bytes[0]! ^= 0x80
  return bytes
}
