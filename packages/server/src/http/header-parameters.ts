/** One parameter of a header (RFC 9110 §5.6.6): a token, or a quoted string. */
const parameter = /;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y

/**
 * Reads a header such as `form-data; name="title"`. What cannot be read, and all that follows it, is
 * left out.
 * @returns its value in lowercase, and the parameters by their names in lowercase
 */
export function readParameters(header: string): {
  value: string
  parameters: Map<string, string>
} {
  const [value = ''] = header.split(';', 1)
  const parameters = new Map<string, string>()
  parameter.lastIndex = value.length
  for (let match = parameter.exec(header); match !== null; match = parameter.exec(header)) {
    const [, name = '', quoted, token = ''] = match
    // Browsers escape the quote as %22 and leave a backslash alone.
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token)
  }
  return { value: value.trim().toLowerCase(), parameters }
}
