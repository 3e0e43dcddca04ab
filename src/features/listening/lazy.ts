import type { Listening, ListeningPorts } from './listening.ts'
import type { QueryClient } from '@tanstack/react-query'
import { bookQuery } from '#features/catalogue/queries.ts'
import { storedTitle } from '#features/downloads/lazy.ts'

let owner: string | undefined
let given: ListeningPorts = {}
let open: Promise<Listening> | undefined

/**
 * Opens listening for this device's user. Call it at every session change: the same user's stays open,
 * another's is closed. Loaded lazily, to keep the code out of the first page.
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

/** Undefined for a visitor. A failed import is retried on the next call. */
export function openedListening(): Promise<Listening> | undefined {
  if (owner === undefined) return undefined
  open ??= begin(owner)
  return open
}

/** The id of the user for whom listening is open. */
export const openListener = (): string | undefined => owner

function begin(ownerUuid: string): Promise<Listening> {
  const begun = import('./listening.ts').then(({ openListening }) => openListening(ownerUuid, given))
  begun.catch(() => {
    if (open === begun) open = undefined
  })
  return begun
}

/** Sends pending places now, if possible: before a logout, and after a login. */
export const sendWaiting = async (): Promise<unknown> =>
  (await openedListening()?.catch(() => undefined))?.sendNow()

/** A book's chapter lengths in seconds, from this device or the cached catalogue. */
export const chapterLengths =
  (queryClient: QueryClient) =>
  async (slug: string): Promise<ReadonlyMap<number, number>> => {
    const stored = await storedTitle(slug)
    if (stored) return new Map(stored.files.map(({ chapter, playtime }) => [chapter, playtime]))
    const book = await queryClient.fetchQuery(bookQuery('audio_books', slug)).catch(() => null)
    return new Map(book?.chapters.map(({ chapterOrderNumber, playtime }) => [chapterOrderNumber, playtime]))
  }
