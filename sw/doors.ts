/** Knows an answer to some requests; undefined for all others, at once: a worker must not think before it passes. */
export type Door = (event: FetchEvent, address: URL) => Promise<Response> | undefined

export const firstAnswer = (doors: readonly Door[]) => (event: FetchEvent) => {
  const address = new URL(event.request.url)
  if (address.origin !== location.origin) return
  for (const door of doors) {
    const answer = door(event, address)
    if (answer) return event.respondWith(answer)
  }
}
