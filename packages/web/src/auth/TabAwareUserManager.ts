import { User, UserManager, type SigninSilentArgs } from 'oidc-client-ts'

const name = 'vitrine.renewal'

/** How long a tab that waited its turn listens for what the tab before it has renewed. */
const listenMs = 100

type Renewed = { refreshToken: string; user: string }

/**
 * Tabs renew one at a time. A duplicated tab begins with a copy of the refresh token; a provider that
 * rotates accepts it once, and takes a second use for theft. So a tab tells the others what it got
 * for which refresh token, and a tab that holds the same one takes that instead of asking.
 */
export class TabAwareUserManager extends UserManager {
  readonly #channel = new BroadcastChannel(name)

  /** Begins to take over what other tabs renew; returns how to end it. */
  listen(): () => void {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Renewed>) => {
      void this.#takeOver(data)
    })
    return () => this.#channel.close()
  }

  override async signinSilent(args?: SigninSilentArgs): Promise<User | null> {
    const before = await this.getUser()
    return navigator.locks.request(name, async () => {
      await new Promise((resolve) => setTimeout(resolve, listenMs))
      const now = await this.getUser()
      if (now !== null && now.access_token !== before?.access_token) return now
      const renewed = await super.signinSilent(args)
      if (before?.refresh_token !== undefined && renewed !== null) {
        const message: Renewed = {
          refreshToken: before.refresh_token,
          user: renewed.toStorageString(),
        }
        // A BroadcastChannel reaches its own origin only, and takes no target.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        this.#channel.postMessage(message)
      }
      return renewed
    })
  }

  async #takeOver({ refreshToken, user }: Renewed): Promise<void> {
    const mine = await this.getUser()
    if (mine?.refresh_token !== refreshToken) return
    const renewed = User.fromStorageString(user)
    await this.storeUser(renewed)
    await this.events.load(renewed)
  }
}
