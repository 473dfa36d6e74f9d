import { isWholeRun } from '../../contract/test/extent.ts'
import { chosenEngines } from './engines.ts'

const isFirst = chosenEngines.database === 'sqlite' && chosenEngines.blobs === 'files'

/**
 * How many cases a test makes up, how much it sends, or how often it does what chance decides: `whole` on
 * the engines that every machine has where a run is to be whole, otherwise `first`; and `again` where it is
 * repeated on other engines. `variable` asks for any number.
 */
export function times(
  variable: string,
  { first, again = first, whole = first }: { first: number; again?: number; whole?: number },
): number {
  const usual = !isFirst ? again : isWholeRun ? whole : first
  return Number(process.env[variable] ?? usual)
}
