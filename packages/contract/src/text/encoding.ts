/**
 * Returns the name of an encoding by one of its labels (https://encoding.spec.whatwg.org/#names-and-labels);
 * undefined where text cannot be read in it.
 */
export function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
