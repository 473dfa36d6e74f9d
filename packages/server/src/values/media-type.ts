import { constants, gunzipSync } from 'node:zlib'
import type { BinaryField } from '@vitrine/contract'
import { mediaTypePattern, mimeMatches, octetStream } from '@vitrine/contract/values/media-type'
import { detectMime } from '@vitrine/rows/detect-mime'
import { supportedMimeTypes } from 'file-type'

const svg = 'image/svg+xml'
/**
 * Media type of SVG in gzip by shared-mime-info
 * (https://www.freedesktop.org/wiki/Specifications/shared-mime-info-spec/).
 */
const svgz = 'image/svg+xml-compressed'

/** The beginning of a document of XML up to its root, which is `svg`. */
const svgRoot =
  /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<(?:\w+:)?svg[\s/>]/i

/** The media type that the first bytes of a value tell, `mimeHeadBytes` of them, where they tell one. */
export async function mimeOfHead(head: Uint8Array): Promise<string | undefined> {
  if (isSvg(head)) return svg
  const mime = await detectMime(head)
  return mime === 'application/gzip' && isSvg(unpackedHead(head)) ? svgz : mime
}

function isSvg(head: Uint8Array): boolean {
  return svgRoot.test(new TextDecoder().decode(head))
}

/** Unpacks the first bytes of a file in gzip, within bounds. */
function unpackedHead(head: Uint8Array): Uint8Array {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1024 ** 2 })
  } catch {
    return new Uint8Array()
  }
}

/** Names of the same type, and those of containers that the first bytes do not tell apart. */
const families = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/png', 'image/apng', 'image/x-png', 'image/vnd.mozilla.apng'],
  ['image/x-icon', 'image/vnd.microsoft.icon'],
  ['image/bmp', 'image/x-bmp', 'image/x-ms-bmp'],
  ['image/heif', 'image/heic', 'image/heif-sequence', 'image/heic-sequence', 'image/avif'],
  ['image/jp2', 'image/jpx', 'image/jpm', 'image/mj2'],
  ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  ['audio/flac', 'audio/x-flac'],
  ['audio/mpeg', 'audio/mp3'],
  ['audio/aiff', 'audio/x-aiff'],
  ['audio/ogg', 'audio/opus', 'audio/vorbis', 'video/ogg', 'application/ogg'],
  ['audio/mp4', 'audio/x-m4a', 'video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp'],
  ['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska', 'audio/x-matroska'],
  ['video/vnd.avi', 'video/x-msvideo', 'video/avi'],
  [svgz, 'application/gzip', 'application/x-gzip'],
]

const familyOf = new Map(
  families.flatMap((family) => family.map((mime) => [mime, family] as const)),
)

/** Whether what the first bytes of a value tell belies the media type that it is said to have, where that is known. */
function beliesMime(detected: string | undefined, declared: string): boolean {
  const family = familyOf.get(declared)
  if (!supportedMimeTypes.has(declared) && family === undefined && declared !== svg) return false
  if (detected === undefined) return isAlwaysFound(declared)
  if (detected === declared || family?.includes(detected) === true) return false
  // Cameras write what is TIFF beside what only they know.
  if (detected === 'image/tiff' && declared.startsWith('image/x-')) return false
  return isMedia(declared) && (isMedia(detected) || isAlwaysFound(declared))
}

/** Types whose first bytes are always the same. */
function isAlwaysFound(mime: string): boolean {
  return supportedMimeTypes.has(mime) && (mime.startsWith('image/') || mime === 'application/pdf')
}

function isMedia(mime: string): boolean {
  return /^(?:image|audio|video)\//.test(mime) || mime === 'application/pdf'
}

type Settled = { ok: true; mime: string } | { ok: false; reason: string }

/** The media type that a value is said to have, where a field takes it. */
export function declaredMime(field: BinaryField, named: string | undefined): Settled {
  const mime = named?.split(';')[0]?.trim().toLowerCase() ?? octetStream
  if (mime !== octetStream && !(mediaTypePattern.test(mime) && mimeMatches(field.mime, mime))) {
    return { ok: false, reason: `must be ${field.mime}, not ${shorten(mime)}` }
  }
  return { ok: true, mime }
}

/** The media type of a value by what is said of it and by what its first bytes tell. */
export function resolveMime(
  field: BinaryField,
  declared: string,
  detected: string | undefined,
): Settled {
  const mime = mimeOf(field, declared, detected)
  if (!mimeMatches(field.mime, mime)) {
    return { ok: false, reason: `must be ${field.mime}, and say which` }
  }
  if (beliesMime(detected, mime)) {
    const other = detected === undefined ? '' : `, but ${detected}`
    return { ok: false, reason: `is not ${mime}${other}, going by its first bytes` }
  }
  return { ok: true, mime }
}

/** `application/octet-stream` says that the sender does not know: the schema does, or the bytes do. */
function mimeOf(
  { mime: pattern }: BinaryField,
  declared: string,
  detected: string | undefined,
): string {
  if (declared !== octetStream) return declared
  return pattern.endsWith('/*') ? (detected ?? declared) : pattern.toLowerCase()
}

function shorten(mime: string): string {
  return mime.length > 64 ? `${mime.slice(0, 63)}…` : mime
}
