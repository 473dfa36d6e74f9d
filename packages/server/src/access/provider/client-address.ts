import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * Returns the address that a request comes from. On https that is the last proxy's word, where there must be one:
 * this server itself does not speak https.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  publicUrl: string,
): string {
  const forwarded = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim()
  const proxied = publicUrl.startsWith('https:') ? forwarded : undefined
  return proxied ?? socket.remoteAddress ?? ''
}

/** Returns what throttles count a request by. */
export function throttledAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  publicUrl: string,
): string {
  return addressPrefix(clientAddress(request, publicUrl))
}

/**
 * Returns the part of an address that a throttle counts by: IPv4 as it is, of IPv6 the first 64 bits, as whoever has
 * one address there has all that begin alike (RFC 6177 §2).
 */
export function addressPrefix(address: string): string {
  if (!isIPv6(address)) return address
  // The URL standard writes an address in one way only; zones have no place in it.
  const host = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host)
  if (mapped !== null) return ipv4Of(mapped[1]!, mapped[2]!)
  const [before = '', after] = host.split('::')
  const first = before === '' ? [] : before.split(':')
  const last = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}

function ipv4Of(high: string, low: string): string {
  const bits = [high, low].map((group) => Number.parseInt(group, 16))
  return bits.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}
