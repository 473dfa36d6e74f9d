/** A value as JSON that was made before, to be sent as it is. */
export class JsonText<T> {
  /** For the compiler alone. */
  declare readonly value: T
  readonly text: string

  constructor(value: T) {
    this.text = JSON.stringify(value)
  }
}
