/** Runs `work` on up to `width` items at once and yields the results in the items' order. */
export async function* ahead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  for await (const item of items) {
    const started = work(item)
    // It is awaited in its turn; until then a failure must not count as unhandled.
    started.catch(() => undefined)
    running.push(started)
    if (running.length >= width) yield await running.shift()!
  }
  while (running.length > 0) yield await running.shift()!
}
