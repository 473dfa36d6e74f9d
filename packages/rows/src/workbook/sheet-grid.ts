/** Size of a sheet (ECMA-376 part 1 §18.3.1.73, and Excel's limits). */
export const sheetSize = { rows: 1_048_576, columns: 16_384 }

/** Returns the letters of a column by its place, counted from 0. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(0x41 + (column % 26))
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter
}

/** Returns the place of a column, counted from 0, by the letters of a cell such as `AB12`. */
export function columnOf(cell: string): number {
  let column = 0
  for (let at = 0; ; at += 1) {
    const letter = cell.charCodeAt(at) & 0xdf
    if (!(letter >= 0x41 && letter <= 0x5a)) return column - 1
    column = column * 26 + letter - 0x40
  }
}
