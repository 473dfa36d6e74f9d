import { useState } from 'react'

/** Least widths of a tile. */
const rems = [5.5, 7.5, 10, 14, 20, 30] as const
const usual = 2
const key = 'vitrine.items.tile'

export type TileSize = {
  step: number
  lastStep: number
  rem: number
  choose: (step: number) => void
}

/** How large tiles are, as was chosen last in this browser. */
export function useTileSize(): TileSize {
  const [step, setStep] = useState(storedSize)
  const choose = (chosen: number) => {
    setStep(chosen)
    keep(chosen)
  }
  return { step, lastStep: rems.length - 1, rem: rems[step] ?? rems[usual], choose }
}

function storedSize(): number {
  try {
    const step = rems.findIndex((rem) => String(rem) === localStorage.getItem(key))
    return step === -1 ? usual : step
  } catch {
    return usual
  }
}

function keep(step: number): void {
  try {
    localStorage.setItem(key, String(rems[step]))
  } catch {
    // It stays as long as the page.
  }
}
