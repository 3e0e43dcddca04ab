import type { QueryClient } from '@tanstack/react-query'
import type { Book } from '#contract/catalogue.ts'
import { priced } from '#features/analytics/use-views.ts'
import { track } from '#features/analytics/track.ts'
import { notAddedWords, offerOf } from '#features/bag/model.ts'
import { addToBag, priceFor } from '#features/bag/mutations.ts'
import { pathOf } from '#features/catalogue/model.ts'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { price, toMinor } from '#format/money.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'

/** Longer than other toasts: a listener isn't looking at the screen. */
const OFFERED_FOR_MS = 15_000

/** A sample ended outside the full player: says so, with the price and one press to have the rest. */
export async function offerBook(
  queryClient: QueryClient,
  slug: string,
  visit: (path: string) => void,
): Promise<void> {
  const book = await bookFor(queryClient, slug).catch(() => null)
  if (!book) return
  const offer = offerOf(book)
  if (offer === 'none' || book.inLibrary) return
  const action =
    offer === 'buy'
      ? {
          label: `Add to bag, ${price(toMinor(priceFor(book)))}`,
          onPress: () => void add(queryClient, book, visit),
        }
      : {
          label: offer === 'free' ? 'It’s free' : 'It can be your free audiobook',
          onPress: () => visit(pathOf(book)),
        }
  toast(`That was the sample of ${book.title}.`, { action, forMilliseconds: OFFERED_FOR_MS })
}

const bookFor = (queryClient: QueryClient, slug: string) =>
  currentSession().status === 'user'
    ? queryClient.fetchQuery(ownBookQuery('audio_books', slug, currentOwner() ?? '', { background: true }))
    : queryClient.fetchQuery(bookQuery('audio_books', slug))

async function add(queryClient: QueryClient, book: Book, visit: (path: string) => void) {
  try {
    if (await addToBag(queryClient, book)) {
      const isMember = currentSession().user?.currentSubscription != null
      void track((events) => events.addToCart(priced(book, isMember)))
    }
    toast(`${book.title} is in your bag.`, {
      action: { label: 'See your bag', onPress: () => visit('/shopping-bag') },
    })
  } catch (failure) {
    toast(notAddedWords(failure))
  }
}
