type Expected = keyof typeof words

/** The names of what JSON can continue with (RFC 8259). */
const words = {
  value: 'a value',
  valueOrEnd: 'a value or ]',
  key: 'a key in double quotes',
  keyOrEnd: 'a key in double quotes or }',
  colon: 'a colon',
  afterEntry: 'a comma or }',
  afterElement: 'a comma or ]',
  end: 'nothing more',
  textEnd: 'a double quote, which ends the text,',
  escape: 'an escape that JSON has, such as \\n,',
}

const space = /[ \t\r\n]*/y
// A string must not contain control characters (RFC 8259 §7).
// oxlint-disable-next-line no-control-regex
const textBeginning = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Finds the first syntax error and what was expected in its place; undefined for valid JSON. */
export function jsonProblem(text: string): string | undefined {
  const problem = firstProblem(text)
  if (problem === undefined) return undefined
  const { at, expected } = problem
  if (at >= text.length) return `${words[expected]} is expected at the end`
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/)
  const column = lines.at(-1)!.length + 1
  return `${words[expected]} is expected at line ${lines.length}, column ${column}`
}

function firstProblem(text: string): { at: number; expected: Expected } | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length ?? 0
    at += length
    return length > 0
  }
  const afterValue = (): Expected =>
    open.length === 0 ? 'end' : open.at(-1) === '{' ? 'afterEntry' : 'afterElement'
  for (;;) {
    take(space)
    const next = text[at]
    if (next === undefined) return expected === 'end' ? undefined : { at, expected }
    const isKey: boolean = expected === 'key' || expected === 'keyOrEnd'
    const isValue = expected === 'value' || expected === 'valueOrEnd'
    const close = expected === 'keyOrEnd' || expected === 'afterEntry' ? '}' : ']'
    if (next === '"' && (isKey || isValue)) {
      take(textBeginning)
      if (text[at] !== '"') return { at, expected: text[at] === '\\' ? 'escape' : 'textEnd' }
      at += 1
      expected = isKey ? 'colon' : afterValue()
    } else if (isValue && (next === '{' || next === '[')) {
      at += 1
      open.push(next)
      expected = next === '{' ? 'keyOrEnd' : 'valueOrEnd'
    } else if (isValue && take(scalar)) {
      expected = afterValue()
    } else if (expected === 'colon' && next === ':') {
      at += 1
      expected = 'value'
    } else if (expected.startsWith('after') && next === ',') {
      at += 1
      expected = expected === 'afterEntry' ? 'key' : 'value'
    } else if (/OrEnd|^after/.test(expected) && next === close) {
      at += 1
      open.pop()
      expected = afterValue()
    } else {
      return { at, expected }
    }
  }
}
