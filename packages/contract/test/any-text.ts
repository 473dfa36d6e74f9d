import * as fc from 'fast-check'

/** Half of them ASCII or of the first plane: most of the others are no characters yet. */
const codePoints = fc.oneof(
  fc.integer({ min: 1, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xffff }),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
)

/** A character that a text can hold: no surrogate by itself, and no NUL. */
const unit = codePoints.map((code) => String.fromCodePoint(code))

/**
 * Texts of any characters. fast-check's own, of the unit `binary`, is a third of a second in the making: it
 * maps every code point, and back.
 */
export function anyText({ maxLength = 10 } = {}): fc.Arbitrary<string> {
  return fc.string({ unit, maxLength })
}
