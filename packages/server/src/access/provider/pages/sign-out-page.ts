import { Html, html } from './html.ts'
import { page } from './page.ts'

/** Asks whether to sign out or, when that was asked for already, does so as soon as it is shown. */
export function signOutPage({
  form,
  siteRoot,
  isConfirmed,
}: {
  /** Markup of `oidc-provider`: a form with the id `op.logoutForm`. */
  form: string
  siteRoot: string
  isConfirmed: boolean
}): string {
  return page({
    title: 'Sign out',
    ...(isConfirmed && { scripts: ['sign-out.js'] }),
    body: html`<section class="card">
      <h1>${isConfirmed ? 'Signing out' : 'Sign out of Vitrine?'}</h1>
      ${new Html(form)}
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      <p class="aside"><a href="${siteRoot}">Stay signed in</a></p>
    </section>`,
  })
}

export function signedOutPage({ siteRoot }: { siteRoot: string }): string {
  return page({
    title: 'Signed out',
    body: html`<section class="card">
      <h1>You are signed out</h1>
      <p><a class="button" href="${siteRoot}">Sign in again</a></p>
    </section>`,
  })
}
