/** Requests for pages that were served from the device instead, and are still unanswered. */
const unanswered = new Set<Promise<unknown>>()

/** Records a page request that timed out. Until it is answered after all, other requests wait only briefly. */
export function noteSilence(network: Promise<unknown>): void {
  unanswered.add(network)
  const answered = () => void unanswered.delete(network)
  network.then(answered, answered)
}

export const isServerSilent = (): boolean => unanswered.size > 0
