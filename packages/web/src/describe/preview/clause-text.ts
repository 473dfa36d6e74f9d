import { stringify } from 'yaml'
import { dataAt, type YamlPath } from '../suggest/yaml-place.ts'

/** The clause at a place of a description, on one line as YAML; of `base` its name alone. */
export function clauseText(description: unknown, at: YamlPath): string {
  const key = at.findLast((step) => typeof step === 'string') ?? ''
  const value = dataAt(description, at)
  if (at.length === 1 && key === 'base') return String(value)
  // A flow mapping of one entry, without the braces around it.
  const flow = stringify({ [key]: value }, { collectionStyle: 'flow', lineWidth: 0 })
  return flow.trim().slice(1, -1).trim()
}
