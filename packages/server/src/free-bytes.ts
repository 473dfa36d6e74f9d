/**
 * Frees the memory of bytes that nobody needs any more, where they are all that lies in it. Left to the
 * engine, some megabytes of them are enough for its most expensive collection.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
