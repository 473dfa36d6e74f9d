import { noChoice, type ColumnChoice } from './column-choice.ts'

type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The columns that one user chose for a dataset, in a browser's storage. */
export function createKeptColumns(keep: Keep, user: string, dataset: string) {
  const key = `vitrine.columns.${encodeURIComponent(user)} ${dataset}`
  return {
    read: (): ColumnChoice => {
      try {
        return choiceOf(JSON.parse(keep.getItem(key) ?? '{}'))
      } catch {
        return noChoice
      }
    },
    write: (choice: ColumnChoice) => {
      try {
        if (isNone(choice)) keep.removeItem(key)
        else keep.setItem(key, JSON.stringify(choice))
      } catch {
        // Storage that is full, or that the browser withholds: it stays as long as the page.
      }
    },
  }
}

function isNone({ order, hidden, pinned, widths }: ColumnChoice): boolean {
  return [order, hidden, pinned, Object.keys(widths)].every(({ length }) => length === 0)
}

function choiceOf(stored: Partial<Record<keyof ColumnChoice, unknown>>): ColumnChoice {
  const { order, hidden, pinned, widths } = stored
  const sizes = Object.entries(widths ?? {}).filter((size): size is [string, number] =>
    Number.isFinite(size[1]),
  )
  return {
    order: names(order),
    hidden: names(hidden),
    pinned: names(pinned),
    widths: Object.fromEntries(sizes),
  }
}

function names(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
}
