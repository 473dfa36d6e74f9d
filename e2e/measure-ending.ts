import { expect, type Page } from '@playwright/test'

/** Measurements of six tabs at the end of their session. */
export type MeasuredEnding = {
  /** For people: seconds until it was acknowledged, until each tab said so, calls answered after. */
  line: string
  /** Status of a call with each tab's token, made as soon as the end was acknowledged. */
  statuses: number[]
  /** Seconds until no token was answered any more. */
  answeredUntil: number
}

/** A tab says so by a notice, by the screen of who signed out elsewhere, or by the provider's page. */
const saysSo = (tab: Page) =>
  tab
    .getByText(
      /Your sign-in has expired|does not accept your sign-in|You signed out in another tab/,
    )
    .or(tab.getByRole('textbox', { name: 'Password' }))
    .first()

/** Ends the session of idle tabs and measures how soon each says so, and how long their tokens serve. */
export async function measureEnding(
  tabs: Page[],
  {
    name,
    tokens,
    url,
    end,
    withinSeconds,
  }: {
    name: string
    tokens: string[]
    /** Address of the API. */
    url: string
    /** Resolves when the end is acknowledged. */
    end: () => Promise<unknown>
    /** How long to wait for the tabs, and for the tokens to end. */
    withinSeconds: number
  },
): Promise<MeasuredEnding> {
  // oxlint-disable no-restricted-globals -- it is measured for people, and judged by nothing
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  // oxlint-enable no-restricted-globals
  const told = Promise.all(
    tabs.map(async (tab) => {
      await saysSo(tab).waitFor({ timeout: withinSeconds * 1000 })
      return seconds()
    }),
  )
  const call = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/api/dataset`, { headers })).status
  }
  const callAll = () => Promise.all(tokens.map(call))
  await end()
  const ended = seconds()
  const statuses = await callAll()
  let answeredUntil = 0
  const countAnswered = async () => {
    const answered = (await callAll()).filter((status) => status < 400).length
    if (answered > 0) answeredUntil = seconds()
    return answered
  }
  const polling = { timeout: withinSeconds * 1000, intervals: [500] }
  await expect.poll(countAnswered, polling).toBe(0)
  const shown = (await told).map((each) => each.toFixed(1)).join(', ')
  const answered = statuses.filter((status) => status < 400).length
  const until = answered === 0 ? '' : `, the last at ${answeredUntil.toFixed(1)} s`
  const line = `${name}: ended at ${ended.toFixed(1)} s, told at ${shown} s; calls answered after: ${answered} of ${tokens.length}${until}`
  return { line, statuses, answeredUntil }
}
