import { firstWhere } from '../runtime/binary-search.ts'

/** Places of a sequence whose items are left out. They are not changed but replaced, as others may be reading by them. */
export class Gaps {
  readonly #places: readonly number[]

  /** @param places in their order */
  constructor(places: readonly number[]) {
    this.#places = places
  }

  /** Counts those before a place. */
  before(place: number): number {
    return firstWhere(this.#places.length, (at) => this.#places[at]! >= place)
  }

  has(place: number): boolean {
    return this.#places[this.before(place)] === place
  }

  /** Returns the place of a rank among the items that are not left out, counted from 0. */
  placeOf(rank: number): number {
    return rank + firstWhere(this.#places.length, (at) => this.#places[at]! - at > rank)
  }
}
