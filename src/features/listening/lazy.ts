import type { Listening, ListeningPorts } from './listening.ts'
import type { QueryClient } from '@tanstack/react-query'
import { bookQuery } from '#features/catalogue/queries.ts'
import { storedTitle } from '#features/downloads/lazy.ts'

let owner: string | undefined
let given: ListeningPorts = {}
let open: Promise<Listening> | undefined

/**
 * Opens the places of this device's user. Safe to call at every change of the session: the same user's stay open,
 * another's are closed. The code is loaded separately, to keep it out of the first page.
 */
export function openListeningOf(
  ownerUuid: string | undefined,
  ports: ListeningPorts = {},
): Promise<Listening> | undefined {
  if (owner !== ownerUuid) {
    void open?.then(
      (listening) => listening.stop(),
      () => undefined,
    )
    owner = ownerUuid
    given = ports
    open = undefined
  }
  return openedListening()
}

/** Undefined for a visitor. Code that did not load is asked for again the next time. */
export function openedListening(): Promise<Listening> | undefined {
  if (owner === undefined) return undefined
  open ??= begin(owner)
  return open
}

/** Whose places are open. */
export const openListener = (): string | undefined => owner

function begin(ownerUuid: string): Promise<Listening> {
  const begun = import('./listening.ts').then(({ openListening }) => openListening(ownerUuid, given))
  begun.catch(() => {
    if (open === begun) open = undefined
  })
  return begun
}

/** Before a log-out, and once the listener is back: what waits is sent if that is possible at once. */
export const sendWaiting = async (): Promise<unknown> =>
  (await openedListening()?.catch(() => undefined))?.sendNow()

/** Lengths of a book's chapters in seconds, from the device or from what was seen of the catalogue. */
export const chapterLengths =
  (queryClient: QueryClient) =>
  async (slug: string): Promise<ReadonlyMap<number, number>> => {
    const stored = await storedTitle(slug)
    if (stored) return new Map(stored.files.map(({ chapter, playtime }) => [chapter, playtime]))
    const book = await queryClient.fetchQuery(bookQuery('audio_books', slug)).catch(() => null)
    return new Map(book?.chapters.map(({ chapterOrderNumber, playtime }) => [chapterOrderNumber, playtime]))
  }
