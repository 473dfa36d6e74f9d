import type { Locator, Page } from '@playwright/test'

/** A part of a screen. */
export type Mark = (page: Page) => Locator

type Role = Parameters<Page['getByRole']>[0]

/** The part of a role, by its whole name or by a pattern of it. */
export const role =
  (kind: Role, name: string | RegExp): Mark =>
  (page) =>
    page.getByRole(kind, { name, exact: true })

/** The parts that have a text. */
export const text =
  (shown: string | RegExp): Mark =>
  (page) =>
    page.getByText(shown, { exact: true })

export const press = (kind: Role, name: string) => (page: Page) => role(kind, name)(page).click()
