export interface StorageFacts {
  /** The bytes that this site holds of everything; the browser's own estimate. */
  usedBytes: number
  /** The bytes that may still be stored, by the browser's word. A guess: the disk may be fuller (trap 12). */
  freeBytes: number
  /** The browser promised not to clear it by itself. */
  lasting: boolean
}

/** Undefined where the browser does not tell. */
export async function readStorage(): Promise<StorageFacts | undefined> {
  try {
    const [estimate, lasting] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted?.() ?? false,
    ])
    const usedBytes = estimate.usage ?? 0
    return { usedBytes, freeBytes: Math.max(0, (estimate.quota ?? 0) - usedBytes), lasting }
  } catch {
    return undefined
  }
}
