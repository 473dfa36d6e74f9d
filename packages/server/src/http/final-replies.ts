import type { ReadResult } from '../reading/read-result.ts'

/** Characters kept at most, of one or two bytes each. */
const charactersMax = 8 * 1024 ** 2

/**
 * Replies that will never be others, of those that were asked for last. To read one and write it as
 * JSON takes as long as everything else that the request needs
 * (docs/decisions/answers.md).
 */
export class FinalReplies {
  readonly #byKey = new Map<string, JsonText<unknown>>()
  #characters = 0

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** The reply to `key`, which must tell apart whatever may be answered differently. */
  async find<T>(
    key: string,
    make: () => Promise<ReadResult<T>>,
  ): Promise<ReadResult<T | JsonText<NonNullable<T>>>> {
    const cached = this.#byKey.get(key)
    if (cached !== undefined) {
      // Now the last to go.
      this.#byKey.delete(key)
      this.#byKey.set(key, cached)
      return { value: cached as JsonText<NonNullable<T>> }
    }
    const answer = await make()
    return answer.isFinal ? { value: this.#keep(key, answer.value) } : answer
  }

  #keep<T>(key: string, value: T): JsonText<NonNullable<T>> {
    const reply = new JsonText(value as NonNullable<T>)
    // Another request may have brought the same meanwhile.
    this.#forget(key)
    this.#byKey.set(key, reply)
    this.#characters += reply.text.length
    for (const first of this.#byKey.keys()) {
      if (this.#characters <= charactersMax) break
      this.#forget(first)
    }
    return reply
  }

  #forget(key: string): void {
    this.#characters -= this.#byKey.get(key)?.text.length ?? 0
    this.#byKey.delete(key)
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
