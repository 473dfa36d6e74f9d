export type Opened = 'palette' | 'shortcuts'

const isApple = /^(?:Mac|iP)/.test(navigator.platform)

/** The key that goes with a letter for a command. */
export const commandKey = isApple ? '⌘' : 'Ctrl'

const offKey = 'vitrine.single-keys-off'

/** Keys without Ctrl can be turned off, as whoever speaks to the computer needs (WCAG 2.1.4). */
export const singleKeys = {
  areOn: () => {
    try {
      return localStorage.getItem(offKey) === null
    } catch {
      return true
    }
  },
  turn: (on: boolean) => {
    try {
      if (on) localStorage.removeItem(offKey)
      else localStorage.setItem(offKey, '')
    } catch {
      // A browser that withholds its storage keeps them on.
    }
  },
}

/** Returns what a key opens: nothing while something is being typed or asked. */
export function openedBy(event: KeyboardEvent): Opened | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (event.defaultPrevented || event.isComposing || altKey) return undefined
  if (isEditable(event.target) || document.querySelector('dialog[open]') !== null) return undefined
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'palette' : undefined
  if (!singleKeys.areOn()) return undefined
  if (key === '/') return 'palette'
  return key === '?' ? 'shortcuts' : undefined
}

function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}
