import { spawnSync } from 'node:child_process'

/** Says why strace cannot be used; undefined where it can. */
export function lacksStrace(): string | undefined {
  const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'])
  return status === 0 ? undefined : 'strace is not there, or may not trace'
}

/**
 * A command that runs another with a fault injected into one of its system calls
 * (strace(1), "Syscall Tampering").
 * @param fault such as `error=EIO:when=7` or `signal=KILL:when=3`
 */
export function inject(call: string, fault: string): string[] {
  const trace = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault}`]
  return ['strace', '-f', '-qq', '-o', '/dev/null', ...trace]
}
