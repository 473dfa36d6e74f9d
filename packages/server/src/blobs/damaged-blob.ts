import { Failure } from '../failure.ts'

/** The bytes of a blob are gone, or are not as many as were sealed, or other ones. */
export class DamagedBlob extends Failure {
  readonly sha256: string
  /** A sentence about the blob without its subject, such as `it has 3 bytes, not 5`. */
  readonly what: string

  constructor(sha256: string, what: string, cause?: unknown) {
    super('VALUE_DAMAGED', { cause })
    this.message = `The blob ${sha256} is damaged: ${what}.`
    this.sha256 = sha256
    this.what = what
  }
}

export function missingBytes(sha256: string, cause: unknown): DamagedBlob {
  return new DamagedBlob(sha256, 'its bytes are missing', cause)
}

export function otherSize(sha256: string, found: number, size: number): DamagedBlob {
  return new DamagedBlob(sha256, `it has ${found} bytes, not ${size}`)
}
