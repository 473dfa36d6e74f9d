import { html, Html } from './html.ts'
import { newPasswordFields } from './choose-password-page.ts'
import { page } from './page.ts'

/** One line of the list of sessions. */
export type ShownSession = {
  id: string
  /** Such as `Firefox on Windows`. */
  name: string
  signedInAt: Date
  lastUsedAt: Date
  /** The one that the page is seen in. */
  isThis: boolean
}

/** Renders the page of an account for its owner. */
export function accountPage({
  username,
  sessions,
  path,
  token,
  siteRoot,
  takesTokens,
  notice,
  error,
}: {
  username: string
  sessions: ShownSession[]
  /** Path of the page; its forms are sent below. */
  path: string
  /** Token against forged forms (CSRF). */
  token: string
  siteRoot: string
  /** Whether the app has a page of personal access tokens. */
  takesTokens: boolean
  /** Sentence on what was just done. */
  notice?: string | undefined
  /** Why the password was not changed, and which field that is about. */
  error?: { sentence: string; field: 'current' | 'new' } | undefined
}): string {
  const hidden = html`<input type="hidden" name="token" value="${token}" />`
  const alert = html`<p class="error" role="alert" id="error">${error?.sentence}</p>`
  const invalid = html`aria-invalid="true" aria-describedby="error" autofocus`
  const others = html`<form method="post" action="${path}/sessions">
    ${hidden}
    <button class="quiet" type="submit" name="end" value="others">End all others</button>
  </form>`
  const tokens = html`<section class="card" aria-labelledby="tokens-heading">
    <h2 id="tokens-heading">Access tokens</h2>
    <p>Notebooks and pipelines use a token in place of your sign-in.</p>
    <p><a href="${siteRoot}token/">Create and revoke access tokens</a></p>
  </section>`
  return page({
    title: 'Account',
    body: html`${notice === undefined ? undefined : html`<p class="said" role="status">${notice}</p>`}
      <section class="card">
        <h1>Account</h1>
        <p>You are signed in as <strong>${username}</strong>.</p>
      </section>
      <section class="card" aria-labelledby="password-heading">
        <h2 id="password-heading">Change the password</h2>
        ${error === undefined ? undefined : alert}
        <form method="post" action="${path}/password">
          ${hidden}
          <input
            name="username"
            type="text"
            autocomplete="username"
            value="${username}"
            readonly
            hidden
          />
          <label for="current_password">Current password</label>
          <input
            id="current_password"
            name="current_password"
            type="password"
            autocomplete="current-password"
            maxlength="256"
            required
            ${error?.field === 'current' ? invalid : undefined}
          />
          ${newPasswordFields({ error: error?.field === 'new' ? 'error' : undefined })}
          <p class="note">All other sessions end.</p>
          <button type="submit">Change the password</button>
        </form>
      </section>
      <section class="card" aria-labelledby="sessions-heading">
        <h2 id="sessions-heading">Sessions</h2>
        <ul class="sessions">
          ${new Html(sessions.map((session) => line(session, { path, hidden }).text).join(''))}
        </ul>
        ${sessions.some(({ isThis }) => !isThis) ? others : undefined}
      </section>
      ${takesTokens ? tokens : undefined}
      <p class="aside"><a href="${siteRoot}">Back to Vitrine</a></p>`,
  })
}

function line(
  { id, name, signedInAt, lastUsedAt, isThis }: ShownSession,
  { path, hidden }: { path: string; hidden: Html },
): Html {
  const end = html`<form method="post" action="${path}/sessions">
    ${hidden}
    <button
      class="quiet"
      type="submit"
      name="end"
      value="${id}"
      aria-label="End ${name}, signed in ${inWords(signedInAt)}"
    >
      End
    </button>
  </form>`
  return html`<li>
    <p>
      <strong>${name}</strong>${isThis ? ' (this one)' : undefined}<br />
      <span class="note">Signed in ${time(signedInAt)}<br />Last used ${time(lastUsedAt)}</span>
    </p>
    ${isThis ? undefined : end}
  </li>`
}

function time(moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${inWords(moment)}</time>`
}

/** The page has no script that could know where its reader is. */
const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function inWords(moment: Date): string {
  return `${format.format(moment)} UTC`
}

/** To whoever is not signed in at the provider. */
export function noAccountPage({ siteRoot }: { siteRoot: string }): string {
  return page({
    title: 'Not signed in',
    body: html`<section class="card">
      <h1>You are not signed in</h1>
      <p>Your account is shown after signing in.</p>
      <p><a class="button" href="${siteRoot}">Sign in to Vitrine</a></p>
    </section>`,
  })
}
