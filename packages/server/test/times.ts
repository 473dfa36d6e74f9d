import { chosenEngines } from './engines.ts'

const isFirst = chosenEngines.database === 'sqlite' && chosenEngines.blobs === 'files'
/** `whole` in `test:whole` on SQLite and files, `again` in its runs on other engines. */
const extent = process.env['VITRINE_TEST_EXTENT']

/**
 * Number of cases that a test generates, of bytes that it sends, or of rounds that depend on chance. A run of
 * everything takes `whole` on SQLite and files and `again` on other engines; every other run takes `first`, or
 * `again` on other engines where that is less. `variable` names an environment variable that overrides it.
 */
export function times(
  variable: string,
  { first, again = first, whole = first }: { first: number; again?: number; whole?: number },
): number {
  const usual = isFirst ? first : Math.min(first, again)
  const number = extent === 'whole' ? whole : extent === 'again' ? again : usual
  return Number(process.env[variable] ?? number)
}
