import type { ShownField } from '@vitrine/contract'

const words = {
  longitude: ['lon', 'lng', 'long', 'longitude'],
  latitude: ['lat', 'latitude'],
}

/** The first fields of numbers named as a longitude and a latitude; undefined without both. */
export function placeFields(fields: readonly ShownField[]): [ShownField, ShownField] | undefined {
  const find = (of: keyof typeof words) =>
    fields.find(
      ({ name, type }) =>
        (type === 'number' || type === 'integer') &&
        wordsOf(name).some((word) => words[of].includes(word)),
    )
  const [longitude, latitude] = [find('longitude'), find('latitude')]
  return longitude && latitude && [longitude, latitude]
}

/** The words of a name such as `start_lat` or `startLat`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
}
