import { readFile } from 'node:fs/promises'
import { parseDescription } from '@vitrine/client/yaml'

/** The description of a dataset of the demo, from the file of its name. */
export async function readDescription(name: string): Promise<unknown> {
  const file = new URL(`./descriptions/${name}.yaml`, import.meta.url)
  const parsed = parseDescription(await readFile(file, 'utf8'))
  if (!parsed.ok) throw new Error(`${file.href}: ${parsed.problems[0]?.reason}`)
  return parsed.value
}
