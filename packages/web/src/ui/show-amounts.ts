const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** An amount of bytes in decimal units (IEC 80000-13): `1 byte`, `12.3 MB`. */
export function showBytes(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000
    unit += 1
  }
  if (unit === 0) return amount === 1 ? '1 byte' : `${Math.round(amount)} bytes`
  return `${amount < 99.95 ? amount.toFixed(1) : amount.toFixed(0)} ${units[unit]}`
}

/** A time that is left: `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function showSeconds(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The length of a text: `1 character`, `1,234 characters`. */
export function showCharacters(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'character' : 'characters'}`
}

/** A number of items: `1 item`, `1,234 items`. */
export function showItems(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`
}
