/** Stands for a value of a file that no text says exactly: the row that has it is refused. */
export class InvalidValue {
  /** Predicate of a sentence about the value: `must be valid UTF-8`. */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}
