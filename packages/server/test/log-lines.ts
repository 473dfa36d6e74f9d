import { expect } from 'vitest'

export type LogLine = {
  level: number
  msg: string
  reqId?: string
  err?: { message: string }
  [name: string]: unknown
}

/** Takes the log of a server, which is started with `VITRINE_LOG_LEVEL` and this `output`. */
export class LogLines {
  readonly #texts: string[] = []
  readonly output = { write: (text: string) => void this.#texts.push(text) }

  /** Text of the log. */
  get text(): string {
    return this.#texts.join('')
  }

  /** Every line; each must be JSON. */
  get all(): LogLine[] {
    const lines = this.text.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as LogLine)
  }

  with(message: string): LogLine[] {
    return this.all.filter(({ msg }) => msg === message)
  }

  /** The first line with a message, once it is there. */
  async first(message: string): Promise<LogLine> {
    await expect.poll(() => this.with(message).length).toBeGreaterThan(0)
    return this.with(message)[0]!
  }
}

/** pino's numbers of its levels. */
export const levels = { info: 30, warn: 40, error: 50 }
