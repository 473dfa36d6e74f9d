import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { createClient } from '@vitrine/client'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { visible } from '../command/table.ts'
import { browserSignIn } from './browser-sign-in.ts'
import { changeCredentials } from './credentials.ts'
import { type DeviceCode, deviceSignIn } from './device-sign-in.ts'
import { findProvider } from './provider.ts'
import { readRuntimeConfig, serverOf, serverOptions } from './runtime-config.ts'

export const login = defineCommand({
  usage: '[--server <address>] [--no-browser | --device] [--json]',
  summary: 'Sign in to a server through the browser',
  details:
    'Keeps tokens in a file that only you can read, and renews them as they expire. With --device it shows\n' +
    'a code to enter in a browser on any computer, if the identity provider offers that. In scripts set\n' +
    'VITRINE_TOKEN instead.',
  examples: [
    ['login', 'sign in to the server on this computer'],
    ['login --server https://vitrine.example', 'sign in to another, which later commands then use'],
    ['login --device', 'sign in on a computer without a browser, such as over SSH'],
    ['login --no-browser', 'only show the address to open'],
  ],
  positionals: 0,
  options: {
    ...serverOptions,
    'no-browser': { type: 'boolean' },
    device: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { io } = invocation
    const config = await readRuntimeConfig(await serverOf(invocation))
    const { apiBaseUrl: baseUrl, authority, scope } = config
    const provider = await findProvider(authority, config.cliClientId ?? config.clientId)
    // Without it, some providers end the sign-in with the browser's session.
    const offline = provider.server.scopes_supported?.includes('offline_access') === true
    const wanted = offline ? `${scope} offline_access` : scope
    const signIn = invocation.values.device
      ? await deviceSignIn(provider, { scope: wanted, show: showCode(io) })
      : await browserSignIn(provider, {
          scope: wanted,
          show: (address) => {
            io.console.error(`Sign in here:\n\n  ${address}\n`)
            if (invocation.values['no-browser'] !== true) openBrowser(address)
          },
        })
    const client = createClient({ baseUrl, token: () => signIn.accessToken })
    await client.datasetList({ pageSize: 1 })
    await changeCredentials(io, async (credentials) => {
      credentials.current = baseUrl
      credentials.servers[baseUrl] = signIn
    })
    const { username } = signIn
    const asJson = invocation.values.json
    io.console.log(
      asJson
        ? JSON.stringify({ server: baseUrl, username })
        : `Signed in to ${baseUrl} as ${username}.`,
    )
  },
})

const showCode =
  ({ console }: Io) =>
  ({ address, code, completeAddress }: DeviceCode): void => {
    console.error(`Open this in a browser, on any computer:\n\n  ${visible(address)}\n`)
    console.error(`and enter the code ${visible(code)} there.\n`)
    if (completeAddress === undefined) return
    console.error(`With the code in it already:\n\n  ${visible(completeAddress)}\n`)
  }

const openers: Partial<Record<NodeJS.Platform, [program: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the browser. Where that fails, the address is printed anyway. */
function openBrowser(address: string): void {
  const [program, ...words] = openers[platform()] ?? ['xdg-open']
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
