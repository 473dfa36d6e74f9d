import { realmPath } from '../clients.ts'
import { html, Html } from './html.ts'

/** Path of the pages' own files, below the issuer's path. */
export const assetsPath = `${realmPath}/assets`

/**
 * The policy of the provider's pages; nothing may frame a page that takes a password. A form's answer
 * redirects to the app, which is of the same origin, or else to `redirectTo`: what a form leads to in
 * the end is its action too, to some browsers.
 */
export function providerPolicy({ redirectTo }: { redirectTo?: string | undefined } = {}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "script-src 'self'",
    `form-action 'self'${redirectTo === undefined ? '' : ` ${redirectTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The frame of every page of the provider: the mark above one card. */
export function page({
  title,
  scripts,
  body,
}: {
  title: string
  /** Files of the assets folder. */
  scripts?: string[]
  body: Html
}): string {
  const script = (file: string) => `<script src="${assetsPath}/${file}" defer></script>`
  const markup = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>${title} · Vitrine</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <link rel="icon" href="${assetsPath}/logo.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="${assetsPath}/provider.css" />
      ${new Html((scripts ?? []).map(script).join(''))}
    </head>
    <body>
      <main>
        <p class="mark">
          <img src="${assetsPath}/logo.svg" alt="" width="36" height="36" />Vitrine
        </p>
        ${body}
      </main>
    </body>
  </html>`
  return `<!doctype html>${markup.text}`
}

/** Shows an OAuth error (RFC 6749 §4.1.2.1) and a link back to the app. */
export function errorPage({
  error,
  error_description: description,
  siteRoot,
}: {
  error: string
  error_description?: string | undefined
  siteRoot: string
}): string {
  return page({
    title: 'Sign-in failed',
    body: html`<section class="card">
      <h1>Sign-in failed</h1>
      <p>${sentence(description ?? error)}</p>
      <p class="code">${error}</p>
      <p><a class="button" href="${siteRoot}">Go to Vitrine</a></p>
    </section>`,
  })
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

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
