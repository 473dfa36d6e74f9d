/** How one wants the columns of a dataset, by its fields' names; what is not said here is as in the schema. */
export type ColumnChoice = {
  order: readonly string[]
  hidden: readonly string[]
  /** Those that stay in view beside the ids. */
  pinned: readonly string[]
  /** In CSS pixels. */
  widths: Readonly<Record<string, number>>
}

export const noChoice: ColumnChoice = { order: [], hidden: [], pinned: [], widths: {} }

type Named = { name: string }

export type ChosenColumn<Field> = { field: Field; isShown: boolean; isPinned: boolean }

/** The columns of a schema as they were chosen: the pinned ones first, fields that were not known then last. */
export function chosenColumns<Field extends Named>(
  schema: readonly Field[],
  { order, hidden, pinned }: ColumnChoice,
): ChosenColumn<Field>[] {
  const places = new Map(order.map((name, place) => [name, place]))
  const placeOf = ({ name }: Field) => places.get(name) ?? order.length
  const columns = schema
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((field) => ({
      field,
      isShown: !hidden.includes(field.name),
      isPinned: pinned.includes(field.name),
    }))
  return [
    ...columns.filter(({ isPinned }) => isPinned),
    ...columns.filter(({ isPinned }) => !isPinned),
  ]
}

/** Moves a field before the one above it or behind the one below; pinned ones stay before the others. */
export function withMoved(
  schema: readonly Named[],
  choice: ColumnChoice,
  name: string,
  step: -1 | 1,
): ColumnChoice {
  const columns = chosenColumns(schema, choice)
  const from = columns.findIndex(({ field }) => field.name === name)
  const [moved, other] = [columns[from], columns[from + step]]
  if (moved === undefined || other?.isPinned !== moved.isPinned) return choice
  const order = columns.with(from, other).with(from + step, moved)
  const names = order.map(({ field }) => field.name)
  const isSchemas = schema.every((field, place) => field.name === names[place])
  return { ...choice, order: isSchemas ? [] : names }
}

export function withShown(choice: ColumnChoice, name: string, isShown: boolean): ColumnChoice {
  return { ...choice, hidden: withMember(choice.hidden, name, !isShown) }
}

export function withPinned(choice: ColumnChoice, name: string, isPinned: boolean): ColumnChoice {
  return { ...choice, pinned: withMember(choice.pinned, name, isPinned) }
}

/** Gives a column a width, or without one that of its values. */
export function withWidth(
  choice: ColumnChoice,
  name: string,
  width: number | undefined,
): ColumnChoice {
  const { [name]: _, ...widths } = choice.widths
  return { ...choice, widths: width === undefined ? widths : { ...widths, [name]: width } }
}

function withMember(names: readonly string[], name: string, isMember: boolean): string[] {
  const others = names.filter((each) => each !== name)
  return isMember ? [...others, name] : others
}
