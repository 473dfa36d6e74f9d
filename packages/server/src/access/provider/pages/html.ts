/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | undefined

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template of markup: what is put in is text and is escaped, unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(markup)))
}

function markup(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character]!)
}
