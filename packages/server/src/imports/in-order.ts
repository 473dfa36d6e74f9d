// Runs on the main thread.

/** Maps what comes one after the other, several at once, and gives the results in its order. */
export async function* mapInOrder<T, R>(
  source: AsyncIterable<T>,
  concurrency: number,
  map: (value: T) => Promise<R>,
): AsyncGenerator<{ value: T; result: R }> {
  const running: { value: T; result: Promise<R> }[] = []
  const oldest = async () => {
    const { value, result } = running.shift()!
    return { value, result: await result }
  }
  try {
    for await (const value of source) {
      const result = map(value)
      // Awaited in its turn; this keeps it from counting as unhandled until then.
      result.catch(() => {})
      running.push({ value, result })
      if (running.length === concurrency) yield await oldest()
    }
    while (running.length > 0) yield await oldest()
  } finally {
    await Promise.allSettled(running.map(({ result }) => result))
  }
}
