import type { ReadResult } from '../reading/read-result.ts'

/** Characters of a generation of replies at most, of one or two bytes each. */
const charactersMax = 4 * 1024 ** 2

/**
 * Cache of replies that will never be others. To read one and write it as JSON takes as long as everything else that
 * the request needs (docs/decisions/answers.md). Two generations: once the young one is full, those of the old one that
 * were not asked for meanwhile are dropped. An order by the last use would be written at every hit.
 */
export class FinalReplies {
  #young = new Map<string, JsonText<unknown>>()
  #old = new Map<string, JsonText<unknown>>()
  #youngCharacters = 0

  has(key: string): boolean {
    return this.#young.has(key) || this.#old.has(key)
  }

  /** The reply to `key`, which must tell apart whatever may be answered differently. */
  async find<T>(
    key: string,
    make: () => Promise<ReadResult<T>>,
  ): Promise<ReadResult<T | JsonText<NonNullable<T>>>> {
    const young = this.#young.get(key)
    if (young !== undefined) return { value: young as JsonText<NonNullable<T>> }
    const old = this.#old.get(key)
    if (old !== undefined) return { value: this.#keep(key, old as JsonText<NonNullable<T>>) }
    const answer = await make()
    if (!answer.isFinal) return answer
    return { value: this.#keep(key, new JsonText(answer.value as NonNullable<T>)) }
  }

  #keep<T>(key: string, reply: JsonText<T>): JsonText<T> {
    const { length } = reply.text
    if (length > charactersMax) return reply
    if (this.#youngCharacters + length > charactersMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCharacters = 0
    }
    this.#young.set(key, reply)
    this.#youngCharacters += length
    return reply
  }
}

/** A value as JSON that was made before, to be sent as it is. */
export class JsonText<T> {
  /** For the compiler alone. */
  declare readonly value: T
  readonly text: string

  constructor(value: T) {
    this.text = JSON.stringify(value)
  }
}
