/**
 * Unicode full case folding (Unicode Standard §3.13, `toCasefold`; the C and F mappings of
 * CaseFolding.txt, not the Turkic ones), as `icontains` compares. Texts are not normalized.
 *
 * Folding is lower case of upper case of lower case, code point by code point, as `toLowerCase` of
 * a whole text makes a final Σ a ς; with two exceptions, both held to the official data by a test.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll(/[^\0-\x7f]/gu, foldCodePoint)
}

function foldCodePoint(character: string): string {
  if (character === 'ı') return character
  const upper = character.toUpperCase()
  return isCherokee(upper) ? upper : upper.toLowerCase()
}

/** Cherokee had no lower case before Unicode 8, so it folds to upper case. */
function isCherokee(upper: string): boolean {
  return upper >= '\u13a0' && upper <= '\u13f5'
}
