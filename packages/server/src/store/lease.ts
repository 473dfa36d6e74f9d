/** Held by the one process that does something. */
export type Lease = {
  /**
   * To be called before each step that two must not do, as whoever was suspended for long has lost it.
   * @throws LeaseLost
   */
  check: () => void
}

/**
 * Does what only one process may do at a time. What is called while another one is at it resolves to
 * undefined.
 */
export type Exclusively = <T>(
  name: string,
  work: (lease: Lease) => Promise<T>,
) => Promise<T | undefined>

/** Another process may have begun the same. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}
