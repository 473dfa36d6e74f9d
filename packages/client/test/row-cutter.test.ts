import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowCutter } from '../src/files/row-cutter.ts'

const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', ',', '\r\n', 'ä') })
const csvRow = fc
  .array(cell, { minLength: 1, maxLength: 3 })
  .map((cells) => `${cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\r\n`)

test('wherever a stream is cut, whole rows come out and nothing of the last one', () => {
  const property = fc.property(
    fc.array(csvRow),
    fc.array(fc.nat({ max: 40 })),
    fc.nat(),
    (rows, sizes, cut) => {
      const bytes = new TextEncoder().encode(`name\r\n${rows.join('')}`)
      const cutter = new RowCutter({ quotes: true, header: true })
      const end = cut % (bytes.length + 1)
      const pieces = []
      for (let at = 0, index = 0; at < end; index += 1) {
        const next = Math.min(end, at + (sizes[index] ?? 7) + 1)
        pieces.push(...cutter.push(bytes.slice(at, next)))
        at = next
      }
      const text = Buffer.concat(pieces).toString()
      const whole = rows.slice(0, cutter.rows).join('')
      expect(['', `name\r\n${whole}`]).toContain(text)
      const following = rows[cutter.rows] ?? '\n'
      expect(end - Buffer.byteLength(text)).toBeLessThan(
        text === '' ? 6 : Buffer.byteLength(following),
      )
    },
  )
  fc.assert(property, { numRuns: 500 })
})
