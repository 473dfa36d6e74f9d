/** A least-recently-used cache: drops the entry used longest ago once it has more than `max`. */
export class LruCache<K, V> {
  readonly #max: number
  readonly #byKey = new Map<K, V>()
  #latest: K | undefined

  constructor(max: number) {
    this.#max = max
  }

  get(key: K, make: () => V): V {
    const value = this.#byKey.get(key) ?? make()
    this.put(key, value)
    return value
  }

  find(key: K): V | undefined {
    const value = this.#byKey.get(key)
    if (value !== undefined && key !== this.#latest) this.put(key, value)
    return value
  }

  put(key: K, value: V): void {
    this.#byKey.delete(key)
    this.#byKey.set(key, value)
    this.#latest = key
    if (this.#byKey.size > this.#max) this.#byKey.delete(this.#byKey.keys().next().value!)
  }
}
