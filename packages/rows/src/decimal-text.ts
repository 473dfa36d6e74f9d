import { UnfitValue } from './unfit-value.ts'

/** Longest decimal: PostgreSQL, the widest of the usual engines, computes with 1,000 digits. */
export const decimalDigitsMax = 1000
/** Bytes needed for a decimal of the highest precision. */
const bytesMax = Math.ceil((decimalDigitsMax * Math.log2(10) + 1) / 8)

/** A decimal by its unscaled integer, with as many digits after the point as the column has: `5.00`. */
export function decimalText(
  unscaled: number | bigint | Uint8Array,
  scale: number,
): string | UnfitValue {
  if (unscaled instanceof Uint8Array && unscaled.length > bytesMax) {
    return new UnfitValue(`is a decimal of more than ${decimalDigitsMax} digits`)
  }
  const integer = unscaled instanceof Uint8Array ? twosComplement(unscaled) : BigInt(unscaled)
  if (scale === 0) return String(integer)
  const sign = integer < 0n ? '-' : ''
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A signed integer in bytes, the most significant one first. */
function twosComplement(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  let hex = '0x'
  for (const byte of bytes) hex += hexOfByte[byte]
  return BigInt.asIntN(8 * bytes.length, BigInt(hex))
}
