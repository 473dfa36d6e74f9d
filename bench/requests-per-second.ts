import { Connection } from './connection.ts'

/** How many requests a server answers in a second when so many connections ask one after the other. */
export async function requestsPerSecond(
  port: number,
  requests: readonly Buffer[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const began = performance.now()
  const end = began + seconds * 1000
  let next = 0
  let answered = 0
  const ask = async (connection: Connection) => {
    while (performance.now() < end) {
      const { status, body } = await connection.send(requests[next++ % requests.length]!)
      if (status !== 200) throw new Error(`${status}: ${body.toString()}`)
      answered += 1
    }
  }
  await Promise.all(open.map(ask))
  const took = (performance.now() - began) / 1000
  for (const connection of open) connection.close()
  return answered / took
}
