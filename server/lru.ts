/** Options of an LRU cache for so many entries; by `max` it would take the memory for all of them at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
