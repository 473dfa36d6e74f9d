import { CellCopier } from './cell-copier.ts'
import { type KindDefinition, kindOf } from './column-kinds.ts'
import type { RowLists } from './row-lists.ts'
import type { RowWriter, WrittenColumn } from './row-writer.ts'

const utf8 = new TextEncoder()
const [opening, comma, quote] = ['{', ',', '"'].map((character) => utf8.encode(character)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const emptyRow = utf8.encode('{}\n')
const rowEnd = utf8.encode('}\n')
const timestampEnd = utf8.encode('Z"')
const truth = { yes: utf8.encode('true'), no: utf8.encode('false') }
const nothing = () => new Uint8Array()

/** Writes rows as JSON, one object a line; absent values are left out. */
export function writeNdjson(columns: readonly WrittenColumn[]): RowWriter {
  const keys = columns.map(({ name }) => utf8.encode(`${JSON.stringify(name)}:`))
  /** Bytes of a row beside its cells. */
  const kinds = columns.map(kindOf)
  const besideCells = kinds.reduce(
    (bytes, { besideCell }, index) => bytes + keys[index]!.length + 1 + besideCell,
    emptyRow.length + 1,
  )
  const copyCell = prepareCopy(kinds)
  const write = (rows: RowLists): Uint8Array<ArrayBuffer> => {
    const copier = new CellCopier(rows, rows.count * besideCells)
    for (let row = 0; row < rows.count; row += 1) {
      let before = opening
      for (let index = 0; index < columns.length; index += 1) {
        if (copier.skipNull()) continue
        copier.put(before)
        before = comma
        copier.put(keys[index]!)
        copyCell(copier, kinds[index]!)
      }
      copier.put(before === opening ? emptyRow : rowEnd)
      copier.endRow()
    }
    return copier.copied
  }
  return { begin: nothing, write, end: nothing }
}

function prepareCopy(
  kinds: readonly KindDefinition[],
): (copier: CellCopier, kind: KindDefinition) => void {
  const makers = new Map(kinds.map((kind) => [kind, kind.makeText?.()]))
  return (copier, kind) => {
    switch (kind.form) {
      case 'text':
        return copier.copyText()
      case 'integer':
        return copier.copyNumber()
      case 'number':
        return copier.put(utf8.encode(String(copier.takeNumber())))
      case 'boolean':
        return copier.put(copier.takeNumber() === 1 ? truth.yes : truth.no)
      case 'moment':
        copier.copyText()
        return copier.endWith(timestampEnd)
      case 'made':
        copier.put(quote)
        copier.put(makers.get(kind)!(copier.takeNumber()))
        return copier.put(quote)
      case 'json':
        return copier.put(utf8.encode(copier.takeText()))
    }
  }
}
