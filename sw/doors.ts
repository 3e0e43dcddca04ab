/** A fetch event, by the part that doors use; tests make their own. */
export interface Asked {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
  waitUntil: (work: Promise<unknown>) => void
}

/** Knows an answer to some requests; undefined for all others, at once: a worker must not think before it passes. */
export type Door = (event: Asked, address: URL) => Promise<Response> | undefined

export const firstAnswer = (doors: readonly Door[]) => (event: Asked) => {
  const address = new URL(event.request.url)
  if (address.origin !== location.origin) return
  for (const door of doors) {
    const answer = door(event, address)
    if (answer) return event.respondWith(answer)
  }
}
