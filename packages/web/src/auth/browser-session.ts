const key = 'vitrine.session'

/** Channel on which tabs report that a provider ended their session. */
const channelName = 'vitrine.ended'

/**
 * The session that the tabs of a browser share. Each tab keeps its user for itself, so an id
 * says which tabs belong together: one copy is everybody's, in local storage, and each tab notes in its
 * session storage which one it signed in under. Signing out replaces the common one, and
 * a tab that was asleep or was left meanwhile finds that its own is another.
 */
export class BrowserSession {
  readonly #own: Storage
  readonly #common: Storage
  readonly #channel = new BroadcastChannel(channelName)

  constructor({ own = sessionStorage, common = localStorage } = {}) {
    this.#own = own
    this.#common = common
  }

  /** Notes that the user of this tab belongs to the session. */
  join(): void {
    const id = this.#common.getItem(key) ?? this.#own.getItem(key) ?? crypto.randomUUID()
    this.#common.setItem(key, id)
    this.#own.setItem(key, id)
  }

  /** Whether a tab signed out since this one signed in. */
  hasEnded(): boolean {
    const own = this.#own.getItem(key)
    const common = this.#common.getItem(key)
    return own !== null && common !== null && own !== common
  }

  /** Notes that the user of this tab is gone. */
  leave(): void {
    this.#own.removeItem(key)
  }

  /** Ends the session of all tabs, this one first. */
  end(): void {
    this.leave()
    this.#common.setItem(key, crypto.randomUUID())
  }

  /** Tells the other tabs that the provider has ended the session of this one. */
  doubt(): void {
    // A BroadcastChannel reaches its own origin only, and takes no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel.postMessage(null)
  }

  /**
   * Calls `onEnd` when another tab signs out, and when this one is looked at after that; `onDoubt` when
   * the provider has ended the session of another tab.
   */
  listen({ onEnd, onDoubt }: { onEnd: () => void; onDoubt: () => void }): void {
    const check = () => {
      if (document.visibilityState === 'visible' && this.hasEnded()) onEnd()
    }
    window.addEventListener('storage', ({ key: changed }) => {
      if (changed === key && this.hasEnded()) onEnd()
    })
    document.addEventListener('visibilitychange', check)
    window.addEventListener('pageshow', check)
    this.#channel.addEventListener('message', onDoubt)
  }
}
