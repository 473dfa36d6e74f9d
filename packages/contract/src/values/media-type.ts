/** RFC 6838 §4.2 restricted names, with `*` for every subtype; a schema may also say `image/*`. */
const restrictedName = '[a-zA-Z0-9][a-zA-Z0-9!#$&^_.+-]{0,126}'
export const mimePattern = new RegExp(`^${restrictedName}/(?:\\*|${restrictedName})$`)
export const mediaTypePattern = new RegExp(`^${restrictedName}/${restrictedName}$`)

/** The media type of a value for which none was given (RFC 2046 §4.5.1). */
export const octetStream = 'application/octet-stream'

/** Whether a value of media type `mime` may stand in a field declared as `pattern` (`image/*`). */
export function mimeMatches(pattern: string, mime: string): boolean {
  const wanted = pattern.toLowerCase()
  const type = mime.toLowerCase()
  return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
}

/** How names of files of a media type end. */
const extensions: Record<string, string> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.apache.parquet': 'parquet',
  'application/zip': 'zip',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga',
  'audio/wav': 'wav',
  'audio/x-m4a': 'm4a',
  'image/apng': 'png',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/jp2': 'jp2',
  'image/jpeg': 'jpg',
  'image/jxl': 'jxl',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/svg+xml-compressed': 'svgz',
  'image/tiff': 'tif',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
}

/** The ending of the name of a file with a value of a media type; `bin` where none is usual. */
export function extensionOf(mime: string): string {
  return extensions[mime] ?? 'bin'
}
