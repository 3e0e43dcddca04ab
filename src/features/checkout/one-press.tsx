import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { User } from '#contract/account.ts'
import type { BookCard } from '#contract/catalogue.ts'
import styles from '#features/bag/bag.module.css'
import { notAddedWords, offerOf } from '#features/bag/model.ts'
import { addToBag } from '#features/bag/mutations.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useWrite } from '#writes/use-write.ts'
import { paymentSettingsQuery } from './queries.ts'

/** Only for accounts with a saved card. */
const loadBuyNow = () => import('./BuyNow.tsx')
export const BuyBagNow = lazyPart(loadBuyNow, 'BuyBagNow')
const BuyNow = lazyPart(loadBuyNow, 'BuyNow')

/** The saved card that buys this title with one press; undefined if it can't be bought like this. */
export function useCardFor(book: BookCard): User['savedCard'] {
  const user = useSession((state) => state.user)
  const card = offerOf(book) === 'buy' ? user?.savedCard : undefined
  const { data } = useQuery({ ...paymentSettingsQuery(), enabled: card !== undefined })
  const isSoldTo = (country: string | null | undefined) =>
    !country || data?.sells?.to.includes(country) !== false
  const isOpen = data?.publishableKey !== null && isSoldTo(user?.countryCode) && isSoldTo(data?.sells?.from)
  return isOpen ? card : undefined
}

/** "Buy now" without a saved card: it leads to the checkout, where a wallet needs no form. */
export function BuyAtCheckout({ book }: { book: BookCard }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const offline = !useOnline()
  const { write, busy, refusal } = useWrite(
    async () => {
      await addToBag(queryClient, book)
      await navigate({ to: '/payment' })
    },
    { message: notAddedWords },
  )
  return (
    <>
      <Button
        look="quiet"
        tone="title"
        busy={busy}
        disabledReason={offline ? 'Buying needs a connection.' : undefined}
        onClick={() => void write()}
      >
        Buy now
      </Button>
      {refusal && (
        <p className={styles.problem} role="alert">
          {refusal}
        </p>
      )}
    </>
  )
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
