import type { IncomingMessage } from 'node:http'
import { addressPrefix } from '../../access/provider/client-address.ts'

/**
 * Where a request comes from, as throttles count it. On https that is the last proxy's word, where there
 * must be one: this server itself does not speak https.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  publicUrl: string,
): string {
  const forwarded = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim()
  const proxied = publicUrl.startsWith('https:') ? forwarded : undefined
  return addressPrefix(proxied ?? socket.remoteAddress ?? '')
}
