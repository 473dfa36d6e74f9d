import type { Extension } from '@codemirror/state'
import { hoverTooltip, ViewPlugin, type EditorView } from '@codemirror/view'
import { helpAt, type Help } from '../suggest/help-at.ts'
import type { DatasetLookup, SuggestRule } from '../suggest/suggest.ts'

const settleMs = 200

type Needs = {
  rules: readonly SuggestRule[]
  lookup: DatasetLookup
  /** Called with help on the word that the cursor came to rest on: help without a mouse. */
  onHelp: (help: Help | undefined) => void
}

/** Explains the word under the mouse in a tooltip, and tells of the one at the cursor. */
export function descriptionHelp({ rules, lookup, onHelp }: Needs): Extension {
  const find = ({ state }: EditorView, position: number) =>
    helpAt(rules, state.doc.toString(), position, lookup)

  const atCursor = ViewPlugin.define((view) => {
    let timer: number | undefined
    let latest = 0
    const tell = async () => {
      latest += 1
      const request = latest
      const help = await find(view, view.state.selection.main.head)
      if (request === latest) onHelp(help)
    }
    return {
      update: ({ docChanged, selectionSet }) => {
        if (!docChanged && !selectionSet) return
        window.clearTimeout(timer)
        timer = window.setTimeout(() => void tell(), settleMs)
      },
      destroy: () => {
        window.clearTimeout(timer)
        latest += 1
      },
    }
  })

  const underMouse = hoverTooltip(async (view, position) => {
    const help = await find(view, position)
    if (help === undefined) return null
    return { pos: help.from, end: help.to, above: true, create: () => ({ dom: tooltip(help) }) }
  })
  return [atCursor, underMouse]
}

function tooltip({ label, note, example }: Help): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'cm-help'
  const name = document.createElement('code')
  name.textContent = label
  dom.append(name, ` ${note}`)
  if (example !== undefined) {
    const code = document.createElement('code')
    code.className = 'cm-help-example'
    code.textContent = example
    dom.append(code)
  }
  return dom
}
