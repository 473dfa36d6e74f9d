import { Connection } from './connection.ts'
import type { ServerProcess } from './server-process.ts'

export type Rate = {
  /** Requests answered in a second. */
  perSecond: number
  /** Requests answered in a second of the server's processor time, which a busy machine changes less. */
  perCpuSecond: number
}

/** How fast a server answers when so many connections ask one `next` request after the other. */
export async function requestRate(
  server: Pick<ServerProcess, 'port' | 'cpuSeconds'>,
  next: () => Buffer,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Rate> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => Connection.open(server.port)),
  )
  const cpuBefore = server.cpuSeconds()
  const began = performance.now()
  const end = began + seconds * 1000
  let answered = 0
  const ask = async (connection: Connection) => {
    while (performance.now() < end) {
      const { status, body } = await connection.send(next())
      if (status !== 200) throw new Error(`${status}: ${body.toString()}`)
      answered += 1
    }
  }
  await Promise.all(open.map(ask))
  const took = (performance.now() - began) / 1000
  const cpuSeconds = server.cpuSeconds() - cpuBefore
  for (const connection of open) connection.close()
  return { perSecond: answered / took, perCpuSecond: answered / cpuSeconds }
}
