import * as fc from 'fast-check'

/** Names with numbers in them, as files have. */
export const naturalTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('img', 'a', '.', '/', ':', '-', ' ', 'é', '😀', '\n', '٣', ''),
      fc.constantFrom('0', '00', '1', '01', '2', '9', '10', '010', '99', '100'),
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))
