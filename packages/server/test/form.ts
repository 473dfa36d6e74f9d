/** A form with texts by the names of its parts. */
export function form(values: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.append(name, new Blob([value]))
  return data
}
