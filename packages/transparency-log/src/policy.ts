/**
 * Writes the policy that accepts checkpoints of one log by its key alone, without witnesses, for programs that read
 * https://c2sp.org/tlog-policy. The origin of the checkpoints is the name of the key.
 */
export function policyText(verifierKey: string): string {
  return `log ${verifierKey}\nquorum none\n`
}
