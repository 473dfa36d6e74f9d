import {
  check,
  integrityByField,
  integrityPart,
  limits,
  type IntegrityByField,
} from '@vitrine/contract'
import { expectChecked, fail, failAt } from '../failure.ts'
import { parseJson } from './json-body.ts'
import type { Part } from './multipart.ts'

/** A form of values, and of one part anywhere that signs them off. */
export class SignedForm {
  readonly #parts: AsyncIterable<Part>
  #integrity: IntegrityByField | undefined

  constructor(parts: AsyncIterable<Part>) {
    this.#parts = parts
  }

  /** @throws Failure of reading the form, and REQUEST_INVALID */
  async *values(): AsyncGenerator<Part, void, undefined> {
    for await (const part of this.#parts) {
      if (part.name !== integrityPart) yield part
      else if (this.#integrity === undefined) this.#integrity = await readIntegrity(part)
      else throw failAt('REQUEST_INVALID', [{ path: [integrityPart], reason: 'is there twice' }])
    }
  }

  /**
   * Returns the integrity by which the values of the form are signed off.
   * @throws Failure REQUEST_INVALID
   */
  integrity(): IntegrityByField {
    if (this.#integrity !== undefined) return this.#integrity
    throw failAt('REQUEST_INVALID', [{ path: [integrityPart], reason: 'is required' }])
  }
}

async function readIntegrity({ bytes }: Part): Promise<IntegrityByField> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limits.jsonBytes) throw fail('CONTENT_TOO_LARGE')
    chunks.push(chunk)
  }
  const json = parseJson(Buffer.concat(chunks), `the part ${integrityPart}`)
  return expectChecked('REQUEST_INVALID', check(integrityByField, json))
}
