import type { HeardPlace } from '#storage/place.ts'

export interface PlaceQueue {
  keep: (heard: HeardPlace) => Promise<void>
  /** Retries the failed writes; also called before log-out. */
  drain: () => Promise<void>
  unwritten: () => HeardPlace[]
  /** True while the browser refuses to store anything: offer a reload (trap 13). */
  stuck: () => boolean
}

/**
 * Queues positions in memory while the device cannot store them, and writes them in order as soon as it can.
 * At most one per book and chapter, so that hours without a database cost no memory.
 */
export function createPlaceQueue(
  write: (heard: HeardPlace) => Promise<void>,
  onStuck: (stuck: boolean) => void = () => undefined,
): PlaceQueue {
  const waiting = new Map<string, HeardPlace>()
  let draining: Promise<void> | undefined
  let writing: HeardPlace | undefined
  let stuck = false

  const report = (next: boolean) => {
    if (next === stuck) return
    stuck = next
    onStuck(next)
  }

  const drainAll = async () => {
    for (const [key, heard] of waiting) {
      try {
        writing = heard
        await write(heard)
      } catch {
        return report(true)
      } finally {
        writing = undefined
      }
      // A newer position of the chapter may have arrived during this write.
      if (waiting.get(key) === heard) waiting.delete(key)
    }
    report(false)
    if (waiting.size > 0) await drainAll()
  }

  const drain = () => (draining ??= drainAll().finally(() => (draining = undefined)))

  return {
    drain,
    unwritten: () => [...waiting.values()],
    stuck: () => stuck,
    async keep(heard) {
      const key = `${heard.slug} ${heard.chapter}`
      const before = waiting.get(key) === writing ? undefined : waiting.get(key)
      waiting.delete(key)
      waiting.set(key, {
        ...heard,
        listenedSeconds: (heard.listenedSeconds ?? 0) + (before?.listenedSeconds ?? 0),
      })
      await drain()
      // The position may have arrived just as an earlier run was ending.
      if (!stuck && waiting.has(key)) await drain()
    },
  }
}
