/** A character by its number, as XML cannot hold it (ECMA-376 part 1 §22.9.2.19, ST_Xstring). */
const escaped = /_x([0-9A-Fa-f]{4})_/g

export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Collects a text from the runs that it is formatted in (§18.4), without how it is pronounced. */
export class TextRuns {
  #parts: string[] = []
  #isText = false
  #isPhonetic = false

  begin(): void {
    this.#parts = []
    this.#isText = false
    this.#isPhonetic = false
  }

  open(name: string): void {
    if (name === 'rPh') this.#isPhonetic = true
    else if (name === 't') this.#isText = !this.#isPhonetic
  }

  text(text: string): void {
    if (this.#isText) this.#parts.push(text)
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    else if (name === 't') this.#isText = false
  }

  end(): string {
    return unescapeText(this.#parts.join(''))
  }
}
