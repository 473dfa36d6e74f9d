import { durationText } from '@vitrine/contract/values/duration'
import { format, getFormatDateInfo, getFormatFromId, getFormatInfo } from 'numfmt'
import { ShownValue } from './shown-value.ts'

export type CellValue = string | number | boolean | ShownValue

/** Returns the value of a number, as it is written in the file. */
export type CellFormat = (written: string) => CellValue

type Pattern = { id: number; text: string | undefined; is1904: boolean }

const dayMs = 86_400_000
/** Days from the first of 1900, and from that of 1904, to where Unix counts from. */
const epochs = { 1900: 25_569, 1904: 24_107 }
/** Integers below have digits that spreadsheets show, all 15 of them. */
const shownBelow = 1e15
/** Last day before the 29 February that 1900 did not have and spreadsheets count (ECMA-376 part 1 §18.17.4.1). */
const lastBeforeGap = 59

/** Reads numbers in a number format: by its text, or one that is known by its number alone (§18.8.30). */
export function cellFormat({ id, text, is1904 }: Pattern): CellFormat {
  const pattern = text ?? getFormatFromId(id) ?? 'General'
  const info = readPattern(pattern)
  if (info === undefined || info.type === 'general' || info.type === 'text') return plainNumber
  const show = (number: number) => format(pattern, number, { throws: false }).trim()
  if (info.isDate) {
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern)
    if (year || month || day) {
      const hasTime = hours || minutes || seconds
      return (written) => readMoment(Number(written), { hasTime, is1904 }) ?? plainNumber(written)
    }
    // Only hours in brackets count on over days; others are a time of a day.
    const isElapsed = /\[[hms]+\]/i.test(pattern)
    return (written) => {
      const shown = show(Number(written))
      const milliseconds = Math.round(Number(written) * dayMs)
      return isElapsed && Number.isSafeInteger(milliseconds)
        ? new ShownValue(durationText(BigInt(milliseconds), 3), shown)
        : shown
    }
  }
  return (written) => {
    const number = plainNumber(written)
    const plain = number instanceof ShownValue ? number.value : number
    // Spreadsheets show zeros for the others, and the file may have been written by another program.
    if (!(Math.abs(Number(written)) < shownBelow)) return number
    const shown = show(Number(written))
    return shown === '' || shown === String(plain) ? plain : new ShownValue(plain, shown)
  }
}

function readPattern(pattern: string) {
  try {
    return getFormatInfo(pattern)
  } catch {
    return undefined
  }
}

/**
 * Reads a number of no format. Spreadsheets show 15 digits of it at most; where a double has more, as 0.1 + 0.2 has,
 * a text takes those. Integers that no double holds stay as they are written.
 */
export function plainNumber(written: string): CellValue {
  const number = Number(written)
  if (Number.isSafeInteger(number)) return number
  if (/^-?\d+$/.test(written) || !Number.isFinite(number)) return written
  const shown = String(Number(number.toPrecision(15)))
  return shown === String(number) ? number : new ShownValue(number, shown)
}

/** Reads a date, or a moment: a text takes that without a zone. Undefined where there is no such day. */
function readMoment(
  serial: number,
  { hasTime, is1904 }: { hasTime: boolean; is1904: boolean },
): CellValue | undefined {
  const day = Math.floor(serial)
  // LibreOffice and pandas write the days before 1900 as negative numbers, and no gap lies between.
  const gap = !is1904 && day >= 1 && day <= lastBeforeGap ? 1 : 0
  const isDay = is1904 || (day !== 0 && day !== lastBeforeGap + 1)
  const moment = new Date(Math.round((serial + gap - epochs[is1904 ? 1904 : 1900]) * dayMs))
  if (!isDay || !(Math.abs(moment.getUTCFullYear() - 5000) < 5000)) return undefined
  const [date = '', time = ''] = moment.toISOString().split(/[TZ]/)
  // ISO 8601 with as many digits of a second as there are.
  const clock = time.replace(/\.0+$|(?<=\.\d+)0+$/, '')
  if (!hasTime && clock === '00:00:00') return date
  return new ShownValue(`${date}T${clock}Z`, `${date} ${clock}`)
}
