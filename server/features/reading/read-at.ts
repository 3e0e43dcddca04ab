/**
 * When something was read, by the server's clock. The age counts most: it is measured with a clock that nobody can
 * set. A device's own time is believed up to now and no further. With neither, now.
 */
export function readAtOf(event: { readAt?: string; agoSeconds?: number }, now: Date): Date {
  const nowMs = now.getTime()
  const byDevice =
    event.agoSeconds !== undefined
      ? nowMs - event.agoSeconds * 1000
      : event.readAt !== undefined
        ? Date.parse(event.readAt)
        : nowMs
  // A leap second is a valid time of the wire that this language cannot read.
  if (Number.isNaN(byDevice)) return now
  return new Date(Math.max(0, Math.min(nowMs, Math.floor(byDevice))))
}
