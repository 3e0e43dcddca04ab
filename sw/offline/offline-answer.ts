import type { Book, BookCard } from '#contract/catalogue.ts'
import { CATALOGUE_CHECKED_HEADER } from '#storage/messages.ts'
import type { CachedAnswer } from '../kept-answers.ts'
import { answerOf, isAnswerable } from './answers.ts'
import { storedCatalogue } from './stored-index.ts'

const BOOK_PAGE = /^\/api\/(?:audio_books|e_books)\/[^/]+$/

/**
 * This device's answer in place of the server's: the newer of the cached answer and one built from the stored catalogue.
 * A cached book page keeps its sample and chapters, and takes its prices from a newer catalogue.
 */
export async function offlineAnswer(
  address: URL,
  kept: CachedAnswer | undefined,
): Promise<CachedAnswer | undefined> {
  if (!isAnswerable(address)) return kept
  const stored = await storedCatalogue()
  if (!stored) return kept
  const ageMs = Date.now() - stored.checkedAt
  if (kept && kept.ageMs <= ageMs) return kept
  const made = await answerOf(stored.catalogue, address)
  if (made === undefined) return kept
  const body =
    kept && BOOK_PAGE.test(address.pathname)
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is made for the address of a book
        withCard((await kept.response.json()) as Book, made as Book)
      : made
  const headers = {
    'content-type': 'application/ld+json; charset=utf-8',
    [CATALOGUE_CHECKED_HEADER]: `${stored.checkedAt}${stored.catalogue.complete ? '' : ' partial'}`,
  }
  return { response: new Response(JSON.stringify(body), { headers }), ageMs }
}

const FROM_CARD = [
  'price',
  'subscriptionPrice',
  'published',
  'geoBlocked',
  'edition',
  'secondEdition',
  'currentlyHighlighted',
  'availableAsCard',
  'audioBook',
  'eBook',
] as const satisfies readonly (keyof BookCard | 'audioBook' | 'eBook')[]

const withCard = (kept: Book, made: Book) => ({
  ...kept,
  ...Object.fromEntries(FROM_CARD.map((name) => [name, made[name]])),
})
