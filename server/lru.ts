/**
 * Options for an LRU cache with a maximum number of entries. lru-cache's `max` would allocate memory for all of them at
 * once.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
