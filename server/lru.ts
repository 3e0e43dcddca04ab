/** For an LRU cache: lru-cache's `max` would allocate memory for all entries at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
