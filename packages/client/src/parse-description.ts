import { limits, type Checked, type Problem } from '@vitrine/contract'
import {
  isCollection,
  isMap,
  isScalar,
  parseAllDocuments,
  visit,
  type Document,
  type Node,
  type YAMLParseError,
} from 'yaml'

const tooDeep = `a description nests at most ${limits.descriptionDepth} levels`

/** A problem with the place in the text where it stands; lines and columns count from 1. */
export type PlacedProblem = Problem & { line: number; column: number; from: number; to: number }

export type ParsedDescription =
  | { ok: true; value: unknown; place: (problem: Problem) => PlacedProblem }
  | { ok: false; problems: PlacedProblem[] }

/**
 * Parses a description: YAML 1.2 core schema, one document, no duplicate keys, no aliases, no tags,
 * 160 KiB, 32 levels. The value is plain JSON, and `place` finds where in the text a
 * problem with it stands.
 */
export function parseDescription(text: string): ParsedDescription {
  const refuse = (reason: string, from = 0, to = from + 1): ParsedDescription => ({
    ok: false,
    problems: [{ path: [], reason, ...position(text, from), from, to: Math.min(to, text.length) }],
  })
  const bytes = new TextEncoder().encode(text).length
  if (bytes > limits.repoDescriptionBytes) {
    return refuse(`a description is at most ${limits.repoDescriptionBytes} bytes, not ${bytes}`)
  }
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: true,
    merge: false,
    prettyErrors: false,
  }) as Document.Parsed[]
  const errors = documents.flatMap((document) => document.errors)
  const overflow = errors.find(({ message }) => message.startsWith('Maximum call stack'))
  if (overflow !== undefined) return refuse(tooDeep, ...overflow.pos)
  if (errors.length > 0) {
    return {
      ok: false,
      problems: errors.map((error) => {
        const { reason, from, to } = explain(error, text)
        return { path: [], reason, ...position(text, from), from, to }
      }),
    }
  }
  if (documents.length > 1) {
    return refuse('there is more than one document', documents[1]!.range[0])
  }
  const document = documents[0]
  if (document === undefined || document.contents === null || isEmpty(document.contents)) {
    return refuse('the description is empty', 0, text.length)
  }
  const unplain = findUnplain(document)
  if (unplain !== undefined) return refuse(unplain.reason, unplain.from, unplain.to)

  return {
    ok: true,
    value: document.toJS({ maxAliasCount: 0 }),
    place: (problem) => {
      const [from, to] = rangeOf(document, problem)
      const reason = asWritten(document, problem)
      return { ...problem, reason, ...position(text, from), from, to }
    },
  }
}

/** Checks a parsed description; problems come back placed in its text. */
export function checkParsed<T>(
  text: string,
  check: (input: unknown) => Checked<T>,
): { ok: true; value: T } | { ok: false; problems: PlacedProblem[] } {
  const parsed = parseDescription(text)
  if (!parsed.ok) return parsed
  const checked = check(parsed.value)
  return checked.ok ? checked : { ok: false, problems: checked.problems.map(parsed.place) }
}

/** A character before what a line holds, or after a colon, that only looks like a space. */
const falseSpace = /(?:^[ -]*|:)(?<space>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])/m

/** Finds what web pages and word processors put in place of a space, where YAML wants one. */
function findFalseSpace(text: string): { reason: string; at: number } | undefined {
  const match = falseSpace.exec(text)
  if (match === null) return undefined
  const space = match.groups!['space']!
  const code = space.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return {
    reason: `the character U+${code} looks like a space and is none in YAML: write a space`,
    at: match.index + match[0].length - 1,
  }
}

/** Returns what to do about an error of the parser, where that is known. */
function explain({ code, message, pos: [from, to] }: YAMLParseError, text: string) {
  // The parser may see it only where the next line begins.
  const begin = text.lastIndexOf('\n', text.lastIndexOf('\n', from - 1) - 1) + 1
  const end = text.indexOf('\n', to)
  const space = findFalseSpace(text.slice(begin, end === -1 ? text.length : end))
  if (space !== undefined) {
    const at = begin + space.at
    return { reason: space.reason, from: at, to: at + 1 }
  }
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return { reason: message, from, to }
  return { reason: 'a text with a colon before a space has to stand in quotes', from, to }
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 }
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.value === null && node.source === ''
}

/** Finds what JSON could not carry, or what could carry a surprise. */
function findUnplain(document: Document.Parsed) {
  let fault: { reason: string; from: number; to: number } | undefined
  const report = (reason: string, { range }: Pick<Node, 'range'>) => {
    const [from, to] = range ?? [0, 1]
    fault = { reason, from, to }
    return visit.BREAK
  }
  visit(document, {
    Alias: (_, node) => report('aliases are not allowed', node),
    Value: (_, node, path) => {
      const level = path.filter(isCollection).length + 1
      if (level > limits.descriptionDepth) return report(tooDeep, node)
      if (node.anchor !== undefined) return report('anchors are not allowed', node)
      if (node.tag !== undefined) return report('tags are not allowed', node)
      if (isScalar(node) && typeof node.value === 'number' && !isExact(node.value)) {
        return report('the number cannot be kept exactly', node)
      }
      return undefined
    },
    Pair: (_, { key }) => {
      if (!isScalar(key) || typeof key.value !== 'string') {
        return report('a key must be text', key as Node)
      }
      const space = key.type === 'PLAIN' ? findFalseSpace(key.value) : undefined
      if (space === undefined) return undefined
      const at = key.range![0] + space.at
      return report(space.reason, { range: [at, at + 1, at + 1] })
    },
  })
  return fault
}

/** JSON has no infinities, and whole numbers past 2^53 would be rounded. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

/** A reason that quotes a number quotes it as it is written: `017`, where its value is 17. */
function asWritten(document: Document.Parsed, { path, reason }: Problem): string {
  const node = document.getIn(path, true)
  if (!isScalar(node) || typeof node.value !== 'number' || node.source === undefined) return reason
  return reason.replace(JSON.stringify(String(node.value)), JSON.stringify(node.source))
}

/** The place of the node at a path, or of the nearest one above it; of a key, where the key is meant. */
function rangeOf(document: Document.Parsed, { path, atKey }: Problem): [number, number] {
  for (let length = path.length; length >= 0; length -= 1) {
    const parent = length === 0 ? undefined : document.getIn(path.slice(0, length - 1), true)
    const pair = isMap(parent)
      ? parent.items.find((each) => isScalar(each.key) && each.key.value === path[length - 1])
      : undefined
    const ofKey = pair !== undefined && (length < path.length || atKey === true)
    const node = ofKey ? (pair.key as Node) : document.getIn(path.slice(0, length), true)
    const range = (node as Partial<Node> | undefined)?.range
    // What is missing from a mapping has no place of its own: where it begins stands for it.
    if (range && isMap(node) && length < path.length) return [range[0], range[0] + 1]
    if (range !== undefined && range !== null) return [range[0], Math.max(range[1], range[0] + 1)]
    if (pair !== undefined) {
      const keyRange = (pair.key as Node).range!
      return [keyRange[0], keyRange[1]]
    }
  }
  return [0, 1]
}
