import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { root } from './root.mjs'

/**
 * Seconds of the Keystroke-Level Model (Card, Moran and Newell, "The keystroke-level model for user performance time
 * with interactive systems", Communications of the ACM 23:7, 1980): of an average typist.
 */
const seconds = {
  key: 0.28,
  /** Pointing at something, and pressing the button of the mouse. */
  click: 1.1 + 0.2,
  /** From the keyboard to the mouse, or back. */
  homing: 0.4,
  /** Making up one's mind, or finding something on a screen. */
  thought: 1.35,
}

/** Uses a page as a person would, and counts what it takes: the machine's time is measured, and a person's added. */
export class Person {
  /** Clicks, texts that are typed, and single keys. */
  steps = 0
  seconds = 0
  readonly #page: Page
  #hand: 'mouse' | 'keyboard' = 'mouse'

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    await this.#step('mouse', seconds.click, () => target.click())
  }

  /** Opens a list of choices, and takes one. */
  async choose(list: Locator, choice: string | { label: string }): Promise<void> {
    await this.#step('mouse', 2 * seconds.click + seconds.thought, async () => {
      await list.selectOption(choice)
    })
  }

  async type(text: string): Promise<void> {
    const took = Array.from(text).length * seconds.key
    await this.#step('keyboard', took, () => this.#page.keyboard.type(text))
  }

  async press(key: string): Promise<void> {
    await this.#step('keyboard', key.split('+').length * seconds.key, () =>
      this.#page.keyboard.press(key),
    )
  }

  /** Presses a key several times, faster than the model has it: each time is a step, and one thought is enough. */
  async pressFast(
    key: string,
    { times, everyMs }: { times: number; everyMs: number },
  ): Promise<void> {
    this.steps += times - 1
    await this.#step('keyboard', 0, async () => {
      for (let count = 0; count < times; count += 1) {
        await this.#page.keyboard.press(key)
        await this.#page.waitForTimeout(everyMs)
      }
    })
  }

  /** Chooses a file in the dialog of the browser. */
  async chooseFile(button: Locator, path: string): Promise<void> {
    const took = 3 * seconds.click + 2 * seconds.thought
    await this.#step('mouse', took, () => button.setInputFiles(path))
  }

  /** Types into another program, pastes what was copied after it, and waits for what it does. */
  async typeElsewhere(
    text: string,
    { pasting = false, run = async () => {} }: { pasting?: boolean; run?: () => Promise<void> },
  ): Promise<void> {
    const keys = Array.from(text).length + (pasting ? 2 : 0) + 1
    this.steps += pasting ? 1 : 0
    await this.#step('keyboard', seconds.click + keys * seconds.key, run)
  }

  /** Finds on the screen what was looked for. */
  async read(target: Locator): Promise<void> {
    await this.#measured(() => target.waitFor())
    this.seconds += seconds.thought
  }

  async #step(
    hand: 'mouse' | 'keyboard',
    took: number,
    act: () => Promise<unknown>,
  ): Promise<void> {
    this.steps += 1
    this.seconds += seconds.thought + took + (this.#hand === hand ? 0 : seconds.homing)
    this.#hand = hand
    await this.#measured(act)
  }

  async #measured(act: () => Promise<unknown>): Promise<void> {
    const began = performance.now()
    await act()
    this.seconds += (performance.now() - began) / 1000
  }
}

/** Opens a page whose clipboard may be read and written, as large as a screen. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  return page
}

/** Does a task from the home screen on, and says the steps and the seconds that it took. */
export async function timeTask(
  name: string,
  { page, url }: { page: Page; url: string },
  run: (person: Person, page: Page) => Promise<void>,
): Promise<void> {
  await page.goto(`${url}/dataset/`)
  await page.waitForLoadState('networkidle')
  const person = new Person(page)
  await run(person, page).catch(async (error: unknown) => {
    await page.screenshot({ path: join(root, 'test-results', 'task.png') })
    throw error
  })
  console.log(`${name}\t${person.steps} steps\t${person.seconds.toFixed(0)} s`)
}
