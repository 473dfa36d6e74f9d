import { readdirSync, readFileSync } from 'node:fs'

/**
 * Runs something; returns the share of all processors, 0 to 1, that programs which are not of this run used
 * meanwhile. Threads of the kernel and what a hypervisor takes are others too. proc(5)
 */
export async function measureOtherLoad(work: () => Promise<void>): Promise<number> {
  const before = readTicks()
  await work()
  const after = readTicks()
  const busy = after.busy - before.busy - (after.own - before.own)
  return Math.max(0, busy) / Math.max(1, after.all - before.all)
}

type Ticks = { all: number; busy: number; own: number }

function readTicks(): Ticks {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!
  // cpu user nice system idle iowait irq softirq steal
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  return { all, busy: all - ticks[3]! - ticks[4]!, own: ownTicks() }
}

/** Ticks of this process and of those below it, and of those of them that are over and waited for. */
function ownTicks(): number {
  const processes = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // ppid, then utime, stime, cutime, cstime
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
      processes.set(Number(name), { parent: Number(fields[1]), ticks })
    } catch {
      // It has ended since.
    }
  }
  const isOwn = (pid: number): boolean => {
    if (pid === process.pid) return true
    const parent = processes.get(pid)?.parent
    return parent !== undefined && parent > 1 && isOwn(parent)
  }
  return [...processes].reduce((sum, [pid, { ticks }]) => sum + (isOwn(pid) ? ticks : 0), 0)
}
