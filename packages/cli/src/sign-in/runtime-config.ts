import { runtimeConfig, type RuntimeConfig } from '@vitrine/contract'
import { CommandError, type Invocation } from '../command/command.ts'
import { readCredentials } from './credentials.ts'

/** Options of every command that talks to a server. */
export const serverOptions = { server: { type: 'string' } } as const

/** The server that is meant: the one that is named, or signed in to last, or one on this computer. */
export async function serverOf({
  values,
  io,
}: Pick<Invocation<typeof serverOptions>, 'values' | 'io'>): Promise<string> {
  const named = values.server || io.env['VITRINE_SERVER']
  if (named) return named
  const { current } = await readCredentials(io)
  const { VITRINE_PUBLIC_URL: publicUrl, VITRINE_PORT: port } = io.env
  return current ?? (publicUrl || `http://localhost:${port || 8080}`)
}

/**
 * Reads the configuration that a server publishes.
 * @throws CommandError when none answers
 */
export async function readRuntimeConfig(server: string): Promise<RuntimeConfig> {
  const hint = 'Start one with "npm start", or name another with --server.'
  if (!/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : '')) {
    throw new CommandError(`${server} is no address. ${hint}`)
  }
  try {
    const response = await fetch(new URL('/config.json', server))
    return runtimeConfig.parse(await response.json())
  } catch (error) {
    const sentence = `No Vitrine answers at ${server}. ${hint}`
    throw new CommandError(sentence, { cause: error, exitCode: 7 })
  }
}
