import { describe, expect, test } from 'vitest'
import { BrowserSession } from '../src/auth/browser-session.ts'
import { memoryStorage } from './memory-storage.ts'

describe('tabs of one browser', () => {
  const common = memoryStorage()
  const openTab = (own = memoryStorage()) => {
    const tab = new BrowserSession({ own, common })
    return { tab, reload: () => new BrowserSession({ own, common }) }
  }

  test('find out about a sign-out in another, over a reload too, and begin anew', () => {
    const [first, second] = [openTab(), openTab()]
    first.tab.join()
    second.tab.join()
    expect([first, second].map(({ tab }) => tab.hasEnded())).toEqual([false, false])
    first.tab.end()
    expect(second.tab.hasEnded()).toBe(true)
    const reloaded = second.reload()
    expect(reloaded.hasEnded()).toBe(true)
    reloaded.leave()
    expect(reloaded.hasEnded()).toBe(false)
    // Signed in again in the first, later in the second.
    first.tab.join()
    expect(first.tab.hasEnded()).toBe(false)
    reloaded.join()
    expect(first.tab.hasEnded() || reloaded.hasEnded()).toBe(false)
  })

  test('do not end their session when local storage is cleared', () => {
    const { tab, reload } = openTab()
    tab.join()
    common.clear()
    expect(tab.hasEnded()).toBe(false)
    reload().join()
    expect(tab.hasEnded()).toBe(false)
  })
})
