import { User, UserManager, type SigninSilentArgs } from 'oidc-client-ts'

const name = 'vitrine.renewal'

/**
 * How long a tab whose turn it is listens for what another has renewed, in milliseconds: what one tells
 * may come after the turn that it gave up, and surely was told if this one had to wait.
 */
const listenMs = { atOnce: 100, afterAnother: 2000 }

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
    let isMyTurn = true
    const renewed = await navigator.locks.request(name, { ifAvailable: true }, async (turn) => {
      isMyTurn = turn !== null
      return isMyTurn ? this.#renew(before, { forMs: listenMs.atOnce, args }) : null
    })
    if (isMyTurn) return renewed
    return navigator.locks.request(name, () =>
      this.#renew(before, { forMs: listenMs.afterAnother, args }),
    )
  }

  async #renew(
    before: User | null,
    { forMs, args }: { forMs: number; args: SigninSilentArgs | undefined },
  ): Promise<User | null> {
    const until = performance.now() + forMs
    do {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const now = await this.getUser()
      if (now !== null && now.access_token !== before?.access_token) return now
    } while (performance.now() < until)
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
  }

  async #takeOver({ refreshToken, user }: Renewed): Promise<void> {
    const mine = await this.getUser()
    if (mine?.refresh_token !== refreshToken) return
    const renewed = User.fromStorageString(user)
    await this.storeUser(renewed)
    await this.events.load(renewed)
  }
}
