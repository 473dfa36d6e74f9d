import { Connection, expectJson, requestBytes } from './connection.ts'

/** Requests one after the other for one value, as a single one is shorter than the clock's noise. */
const repeats = 5
let asked = 0

/** How long it takes to ask something of a dataset, in milliseconds; `check` looks at each reply. */
export async function latency(
  connection: Connection,
  token: string,
  {
    dataset,
    what,
    check,
  }: { dataset: string; what: () => string; check: (reply: unknown) => void },
): Promise<number> {
  let took = 0
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const path = `/api/dataset/${spell(dataset, asked++)}/${what()}`
    const request = requestBytes('GET', path, { authorization: `Bearer ${token}` })
    const began = performance.now()
    const reply = await connection.send(request)
    took += performance.now() - began
    check(expectJson(reply, 200))
  }
  return took / repeats
}

/**
 * A name in one of a thousand spellings, each letter percent-encoded or not. The server keeps replies
 * by their address, and here it is to read every time.
 */
function spell(name: string, spelling: number): string {
  const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
  return name.replaceAll(/./g, (letter, at: number) =>
    (spelling >> at) & 1 ? encode(letter) : letter,
  )
}

/** Refuses a page that has not so many items. */
export const expectItems = (count: number) => (items: unknown) => {
  const { length } = items as unknown[]
  if (length !== count) throw new Error(`a page has ${length} items instead of ${count}`)
}
