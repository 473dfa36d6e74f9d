import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

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

/**
 * Has system calls of a process that runs fail from now on, in all of its threads; resolves once they do.
 * A fault that is given at the start is counted by each thread for itself.
 */
export async function injectInto(pid: number, calls: readonly string[], fault: string) {
  const all = calls.join(',')
  const options = ['-e', `trace=${all}`, '-e', `inject=${all}:${fault}`]
  const tracer = spawn('strace', ['-f', '-o', '/dev/null', ...options, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface(tracer.stderr)) {
    if (line.includes('attached')) return
  }
  throw new Error(`strace could not attach to process ${pid}`)
}
