/** A character by its number, as XML cannot hold it (ECMA-376 part 1 §22.9.2.19, ST_Xstring). */
const escaped = /_x([0-9A-Fa-f]{4})_/g

export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Characters that XML reserves or has no way to hold, and texts that would be read as such an escape. */
const special = /[&<>]|_(?=x[0-9A-Fa-f]{4}_)|(?![\t\n\x7f-\x9f])[\p{Cc}\ufffe\uffff]/gu
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // By itself it would be read as an end of a line.
  '\r': '&#13;',
  _: '_x005F_',
}

/** Writes a text so that `unescapeText` of what XML reads is the text. */
export function escapeText(text: string): string {
  return text.replace(
    special,
    (character) =>
      references[character] ??
      `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}

/** Collects a text from the runs that it is formatted in (§18.4), without how it is pronounced. */
export class TextRuns {
  #parts: string[] = []
  #isText = false
  #isPhonetic = false
  #hasText = false

  begin(): void {
    this.#parts = []
    this.#isText = false
    this.#isPhonetic = false
    this.#hasText = false
  }

  open(name: string): void {
    if (name === 'rPh') this.#isPhonetic = true
    else if (name === 't') {
      this.#isText = !this.#isPhonetic
      this.#hasText ||= this.#isText
    }
  }

  text(text: string): void {
    if (this.#isText) this.#parts.push(text)
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    else if (name === 't') this.#isText = false
  }

  /** Returns the text, which may be empty; undefined where there is none. */
  end(): string | undefined {
    return this.#hasText ? unescapeText(this.#parts.join('')) : undefined
  }
}
