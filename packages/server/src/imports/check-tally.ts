// Runs on the main thread.

import type { Problem, Refusal } from '@vitrine/contract'
import { idMatches } from '@vitrine/contract/repo/correcting-rows'
import { sayTooLong } from '@vitrine/rows/row-block'
import { unpacksTooFar } from '@vitrine/rows/unpacked-bound'
import { Failure } from '../failure.ts'
import { malformed } from './import-file.ts'
import { KeyTable, shortKey } from './key-table.ts'
import type { CheckedBlock } from './rows/check-block.ts'
import type { Block } from './rows/raw-row.ts'

/** An import that takes all or nothing looks for so many refused rows before it gives up. */
const refusedMax = 10_000
/** An error reply names so many of them. */
const namedMax = 20

type TallyOptions = {
  mode: 'all' | 'skip'
  match: readonly string[] | undefined
  linesBefore: number | null
  unpackedBytesMax: number
}

/** Counts rows over the blocks of a file, and knows when there is no point in going on. */
export class CheckTally {
  readonly #mode: TallyOptions['mode']
  readonly #match: readonly string[]
  /** Rows by their keys. */
  readonly #keys = new KeyTable()
  #lines: number | null
  #rows = 0
  #refusedRows = 0
  #changedRows = 0
  #unchangedRows = 0
  #checkedBytes = 0
  readonly #unpackedBytesMax: number
  #unpackedBytes = 0
  #named: Problem[] = []
  #malformed: Failure | undefined

  constructor({ mode, match = [], linesBefore, unpackedBytesMax }: TallyOptions) {
    this.#mode = mode
    this.#match = match
    this.#lines = linesBefore
    this.#unpackedBytesMax = unpackedBytesMax
  }

  /** Returns the rows of a checked block, with positions in the file instead of in the block. */
  take(
    block: Block,
    result: CheckedBlock,
  ): { checked: Uint8Array; rows: number; refusals: Refusal[] } {
    const place = <T extends { row: number; line: number | null }>(at: T): T => ({
      ...at,
      row: this.#rows + at.row + 1,
      line: at.line === null || this.#lines === null ? null : this.#lines + at.line + 1,
    })
    this.#unpackedBytes += result.unpackedBytes ?? 0
    const fatal = block.isCut
      ? { row: 0, line: 0, reason: sayTooLong(result.unreadable) }
      : this.#unpackedBytes > this.#unpackedBytesMax
        ? { row: 0, line: null, reason: unpacksTooFar }
        : (result.unreadable ?? (this.#mode === 'all' ? result.malformed : undefined))
    const refusals = block.isCut ? [] : result.refusals.map(place)
    const repeated = this.#findRepeated(result).map(place)
    refusals.push(...repeated)
    if (fatal !== undefined) {
      const { row, line, reason } = place(fatal)
      this.#malformed = malformed(line === null ? reason : `line ${line} ${reason}`, row)
      if (fatal !== result.malformed) refusals.push({ row, line, field: null, reason, value: null })
    }
    for (const { row, field, reason } of refusals.slice(0, namedMax - this.#named.length)) {
      this.#named.push({ path: field === null ? [row] : [row, field], reason })
    }
    this.#rows += result.rows
    this.#refusedRows += result.refusedRows + repeated.length
    this.#changedRows += result.changedRows
    this.#unchangedRows += result.unchangedRows
    if (this.#lines !== null) this.#lines += result.lines
    this.#checkedBytes = block.end
    const isWasted = this.#mode === 'all' && (this.#refusedRows > 0 || fatal !== undefined)
    return {
      checked: isWasted ? new Uint8Array() : result.checked,
      rows: isWasted ? 0 : result.acceptedRows,
      refusals,
    }
  }

  /** Finds rows that are matched by the same as an earlier one of the file. */
  #findRepeated({ keys }: CheckedBlock): Refusal[] {
    const [name = ''] = this.#match
    const field = this.#match.length === 1 && !idMatches.includes(name) ? name : null
    const same =
      name === 'id.replaces' ? 'corrects the same item' : `has the same ${this.#match.join(', ')}`
    return keys.flatMap((key, row) => {
      if (key === undefined) return []
      const short = shortKey(key)
      const earlier = this.#keys.get(short)
      if (earlier === undefined) {
        this.#keys.add(short, this.#rows + row)
        return []
      }
      const reason = `row ${Number(earlier) + 1} ${same}`
      return [{ row, line: null, field, reason, value: null }]
    })
  }

  get isOver(): boolean {
    return (
      this.#malformed !== undefined || (this.#mode === 'all' && this.#refusedRows >= refusedMax)
    )
  }

  get progress() {
    return {
      rows: this.#rows,
      refused_rows: this.#refusedRows,
      changed_rows: this.#changedRows,
      unchanged_rows: this.#unchangedRows,
      checked_bytes: this.#checkedBytes,
    }
  }

  get failure(): Failure | undefined {
    if (this.#malformed !== undefined || this.#mode === 'skip' || this.#refusedRows === 0) {
      return this.#malformed
    }
    const details = { problems: this.#named, refusedRows: this.#refusedRows }
    return new Failure('IMPORT_REFUSED', { details })
  }
}
