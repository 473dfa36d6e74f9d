import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml'

export type YamlPath = (string | number)[]

/** Place of a cursor in the tree of a YAML text, however unfinished the text is. */
export type YamlPlace = {
  at: 'key' | 'value'
  /** Keys and indexes that lead to a value, or to the mapping of a key. */
  path: YamlPath
  /** The word at the cursor: what a suggestion replaces. */
  from: number
  to: number
  /** The word up to the cursor. */
  word: string
  /** How many characters stand before the word on its line. */
  column: number
  /** Nothing but white space stands before the word on its line. */
  ownLine: boolean
  /** Nothing but white space and hyphens does: a mapping begins here without braces. */
  block: boolean
  /** The other keys of the mapping that a key stands in. */
  keys: string[]
  /** The whole text as data, as far as it can be read. */
  root: unknown
}

/** A character that no description holds (Unicode private use), put where the cursor is. */
const mark = '\uE000'
// A colon stands inside of a word only in `natural:field`.
const wordBefore = /(?:-?natural:)?[\w./*+-]*$/
/** The rest of the word at a cursor. */
export const wordAfter = /^(?:[a-z]*:(?=[A-Za-z_]))?[\w./*+-]*/

/** Finds the place of a cursor by parsing the text with a mark put in at the cursor. */
export function yamlPlace(text: string, cursor: number): YamlPlace | undefined {
  const before = text.slice(0, cursor)
  const after = text.slice(cursor)
  const document = parseDocument(`${before}${mark}${after}`, {
    uniqueKeys: false,
    logLevel: 'silent',
  })
  const marked = findMarked(document)
  if (marked === undefined) return undefined

  const word = wordBefore.exec(before)![0]
  const from = cursor - word.length
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from)
  return {
    ...marked,
    from,
    to: cursor + wordAfter.exec(after)![0].length,
    word,
    column: line.length,
    ownLine: /^ *$/.test(line),
    block: /^[ -]*$/.test(line),
    root: toData(document),
  }
}

function findMarked(
  document: Document.Parsed,
): Pick<YamlPlace, 'at' | 'path' | 'keys'> | undefined {
  let place: Pick<YamlPlace, 'at' | 'path' | 'keys'> | undefined
  visit(document, {
    Scalar: (role, node, ancestors) => {
      if (!isMarked(node)) return undefined
      if (isSingleWord(node)) {
        const map = ancestors.at(-2)
        const isKey = role === 'key' || ancestors.length === 1
        place = {
          at: isKey ? 'key' : 'value',
          path: pathOf(isKey ? ancestors.slice(0, -1) : [...ancestors, node]),
          keys: isKey && isMap(map) ? otherKeys(map.items) : [],
        }
      }
      return visit.BREAK
    },
  })
  return place
}

function isMarked(node: unknown): node is Scalar<string> {
  return isScalar(node) && typeof node.value === 'string' && node.value.includes(mark)
}

/** Running text and block scalars are prose: nothing is suggested inside them. */
function isSingleWord({ value, type }: Scalar<string>): boolean {
  return type?.startsWith('BLOCK') !== true && !/\s/.test(value)
}

function pathOf(nodes: readonly (Document | Node | Pair)[]): YamlPath {
  return nodes.flatMap((node, index): YamlPath => {
    const next = nodes[index + 1]
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : '']
    if (isSeq(node) && next !== undefined) return [node.items.indexOf(next)]
    return []
  })
}

function otherKeys(items: readonly Pair[]): string[] {
  return items.flatMap(({ key }) => (isScalar(key) && !isMarked(key) ? [String(key.value)] : []))
}

/** An alias to nothing makes the conversion throw: then nothing is known. */
function toData(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    return undefined
  }
}

/** The value at a path of some data, or undefined where the path leads nowhere. */
export function dataAt(root: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    root,
  )
}
