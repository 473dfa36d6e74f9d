/**
 * The `Authorization` header of a request, from its raw headers. Node keeps the first of two and drops
 * the other; here both are kept, so that they do not pass as one.
 */
export function authorizationHeader(rawHeaders: string[]): string | undefined {
  let found: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      const value = rawHeaders[index + 1]!
      found = found === undefined ? value : `${found}, ${value}`
    }
  }
  return found
}
