import { limits } from '@vitrine/contract/limits'
import { SaxesParser } from 'saxes'
import { UnreadableFile } from '../row-batch.ts'

export type Attributes = Readonly<Record<string, string>>

/** Receives the parts of an XML document in its order; names come without their prefixes. */
export type XmlVisitor = {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * Parses XML as its bytes arrive, and yields after each chunk. Entities of a document type are not expanded, and so
 * cannot grow.
 * @throws UnreadableFile
 */
export async function* parseXml(
  chunks: AsyncIterable<Uint8Array>,
  visitor: XmlVisitor,
): AsyncGenerator<void> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({
    position: false,
    xmlns: false,
  })
  /** Characters since the parser last had something to tell: it holds as much in memory. */
  let untold = 0
  parser.on('opentag', ({ name, attributes }) => {
    untold = 0
    visitor.open(withoutPrefix(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    untold = 0
    visitor.close?.(withoutPrefix(name))
  })
  parser.on('text', (text) => visitor.text?.(text))
  parser.on('cdata', (text) => visitor.text?.(text))
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const write = (characters: string) => {
    untold += characters.length
    parser.write(characters)
    if (untold > limits.rowBytes) throw new Error('a text in it is too long')
  }
  for await (const chunk of chunks) {
    asUnreadable(() => write(utf8.decode(chunk, { stream: true })))
    yield
  }
  asUnreadable(() => {
    write(utf8.decode())
    parser.close()
  })
  yield
}

/** Parses a document that is read as a whole. */
export async function visitXml(
  chunks: AsyncIterable<Uint8Array>,
  visitor: XmlVisitor,
): Promise<void> {
  for await (const _ of parseXml(chunks, visitor));
}

function asUnreadable(parse: () => void): void {
  try {
    parse()
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause
    const [reason] = (cause as Error).message.split('\n')
    throw new UnreadableFile(`is a damaged workbook: ${reason}`, { cause })
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Returns an attribute that stands in a namespace, whatever its prefix is. */
export function prefixedAttribute(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`))
  return key === undefined ? undefined : attributes[key]
}

/** Whether an attribute is set, as XML Schema writes it. */
export function isSet(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true'
}
