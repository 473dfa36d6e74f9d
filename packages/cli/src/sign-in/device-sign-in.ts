import * as oauth from 'oauth4webapi'
import { CommandError } from '../command/command.ts'
import type { StoredSignIn } from './credentials.ts'
import { orSignInFailed, type Provider, signedIn } from './provider.ts'

/** Address to open, and the code to type there. */
export type DeviceCode = { address: string; code: string; completeAddress?: string | undefined }

/** Seconds (RFC 8628 §3.2, §3.5). */
const usualInterval = 5
const slowDown = 5

/**
 * Signs somebody in through a browser on any computer, by a code that they type there (RFC 8628).
 * @throws CommandError when the provider does not offer it, or that does not come to an end
 */
export async function deviceSignIn(
  provider: Provider,
  { scope, show }: { scope: string; show: (code: DeviceCode) => void },
): Promise<StoredSignIn> {
  const { server, client, request } = provider
  if (server.device_authorization_endpoint === undefined) {
    throw new CommandError(
      `${server.issuer} offers no sign-in by a code. Leave --device out, or set VITRINE_TOKEN.`,
    )
  }
  const none = oauth.None()
  // Keycloak asks for it where a client has it for the browser's flow.
  const verifier = oauth.generateRandomCodeVerifier()
  return orSignInFailed(async () => {
    const query = {
      scope,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const reply = await oauth.deviceAuthorizationRequest(server, client, none, query, request)
    const device = await oauth.processDeviceAuthorizationResponse(server, client, reply)
    show({
      address: device.verification_uri,
      code: device.user_code,
      completeAddress: device.verification_uri_complete,
    })
    const parameters = { ...request, additionalParameters: { code_verifier: verifier } }
    let interval = device.interval ?? usualInterval
    for (;;) {
      await waitSeconds(interval)
      try {
        const { device_code: code } = device
        const response = await oauth.deviceCodeGrantRequest(server, client, none, code, parameters)
        const tokens = await oauth.processDeviceCodeResponse(server, client, response)
        return signedIn(provider, tokens)
      } catch (error) {
        const { error: code } = error as { error?: string }
        if (code === 'slow_down') interval += slowDown
        else if (code !== 'authorization_pending') throw error
      }
    }
  })
}

/** By the timer that tests move. */
function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000)
  })
}
