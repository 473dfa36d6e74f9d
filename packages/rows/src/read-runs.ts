/**
 * Reads numbers of so many bits each from runs, each of which is one number repeated or numbers side by side
 * (https://parquet.apache.org/docs/file-format/data-pages/encodings/, RLE/Bit-Packing Hybrid). They fill the
 * output, and nothing beyond it is read.
 * @throws Error where they do not
 */
export function readRuns(bytes: Uint8Array, width: number, output: Uint8Array | Uint32Array): void {
  if (width > 32) throw new Error(`numbers of a page have ${width} bits`)
  const mask = width === 32 ? 0xffffffff : 2 ** width - 1
  let at = 0
  let written = 0
  const next = (): number => {
    const byte = bytes[at]
    if (byte === undefined) throw new Error('a run is cut off')
    at += 1
    return byte
  }
  while (written < output.length) {
    let head = 0
    for (let factor = 1; ; factor *= 0x80) {
      if (factor > 2 ** 28) throw new Error('a run has no valid length')
      const byte = next()
      head += (byte & 0x7f) * factor
      if (byte < 0x80) break
    }
    const count = Math.floor(head / 2)
    if (head % 2 === 0) {
      if (count > output.length - written) throw new Error('a run is longer than its page')
      let value = 0
      for (let bits = 0; bits < width; bits += 8) value += next() * 2 ** bits
      if (value > mask) throw new Error(`a run is of ${value}, in ${width} bits`)
      output.fill(value, written, written + count)
      written += count
      continue
    }
    // The last of them are padded to a multiple of eight.
    const end = Math.min(output.length, written + count * 8)
    if (at + Math.ceil(((end - written) * width) / 8) > bytes.length) {
      throw new Error('a run is cut off')
    }
    for (let bit = 0; written < end; bit += width, written += 1) {
      const from = at + (bit >>> 3)
      const skip = bit & 7
      const four =
        bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24)
      const rest = skip + width > 32 ? bytes[from + 4]! << (32 - skip) : 0
      output[written] = ((four >>> skip) | rest) & mask
    }
    at += count * width
  }
}
