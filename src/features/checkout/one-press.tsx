import { Suspense } from 'react'
import type { User } from '#contract/account.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { offerOf } from '#features/bag/model.ts'
import { useSession } from '#session/store.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useNoPaymentsYet, useUnsoldCountry } from './queries.ts'

/** Only for accounts with a saved card. */
const BuyNow = lazyPart(() => import('./BuyNow.tsx'), 'BuyNow')

/** The saved card that buys this title with one press; undefined if it can't be bought like this. */
export function useCardFor(book: BookCard): User['savedCard'] {
  const card = useSession(({ user }) => user?.savedCard)
  const closed = useNoPaymentsYet()
  const unsold = useUnsoldCountry()
  return offerOf(book) === 'buy' && !closed && !unsold ? card : undefined
}

/** "Buy now" for an account with a saved card, otherwise nothing. */
export function OnePress({ book }: { book: BookCard }) {
  const card = useCardFor(book)
  return (
    card && (
      <Suspense>
        <BuyNow key={book.slug} book={book} card={card} />
      </Suspense>
    )
  )
}
