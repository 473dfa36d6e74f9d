import * as fc from 'fast-check'

const awkward = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        ',',
        '\n',
        '\r',
        '\r\n',
        '\t',
        '=',
        '-',
        '1',
        ' ',
        '\ufeff',
        '\u0085',
        '\u2028',
        '\u2029',
        '🦊',
        '\\',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
)

/** Texts that a field takes, with everything that formats write in ways of their own. */
export const awkwardText = awkward.map((value) => value.toWellFormed().replaceAll('\0', ''))
