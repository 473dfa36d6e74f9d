import { runtimeConfig, type RuntimeConfig } from '@vitrine/contract'

/** Asks the server that delivered the app what to talk to. */
export async function loadRuntimeConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { credentials: 'same-origin' })
  if (!response.ok) {
    throw new Error(`/config.json could not be read: ${response.status} ${response.statusText}`)
  }
  const parsed = runtimeConfig.safeParse(await response.json())
  if (!parsed.success) throw new Error('/config.json is not a valid configuration of the web app')
  return parsed.data
}
