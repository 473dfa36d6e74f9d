import { chosenEngines } from './engines.ts'

const isFirst = chosenEngines.database === 'sqlite' && chosenEngines.blobs === 'files'

/**
 * How many cases a test makes up, or how often it does what chance decides: most on the engines that
 * every machine has, and fewer where it is repeated on others. `variable` asks for any number.
 */
export function times(
  variable: string,
  { first, again }: { first: number; again: number },
): number {
  return Number(process.env[variable] ?? (isFirst ? first : again))
}
