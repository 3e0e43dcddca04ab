import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BookCard } from '#contract/catalogue.ts'
import { track } from '#features/analytics/track.ts'
import { priced } from '#features/analytics/use-views.ts'
import { useMark } from '#features/catalogue/marks.ts'
import { linkTo } from '#features/catalogue/model.ts'
import { currentSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { useWrite } from '#writes/use-write.ts'
import { cartStateOf, isInBag, offerOf } from './model.ts'
import { addToBag } from './mutations.ts'
import { bagQuery } from './queries.ts'
import { useBagHolder } from './store.ts'

/** Adds to the bag. Free titles and member's choices are taken on their own page, which explains them. */
export function AddTitle({ book, tone }: { book: BookCard; tone?: 'title' }) {
  const queryClient = useQueryClient()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const { write, busy, refusal } = useWrite(() => addToBag(queryClient, book), {
    onSuccess: (item) => {
      announce(`${book.title} is in your bag.`)
      if (item) countAdded(book)
    },
  })
  const isChoice = useMark(book) === 'choose'
  const offer = offerOf(book)
  if (offer === 'free' || offer === 'claim' || isChoice)
    return (
      <LinkButton {...linkTo(book)} look="quiet" tone={tone} aria-label={`Choose ${book.title}`}>
        {offer === 'free' ? 'It’s free' : 'Choose'}
      </LinkButton>
    )
  if (offer !== 'buy') return null
  const inBag = isInBag(cartStateOf(cart?.items ?? [], book, undefined))
  const words = inBag ? 'In your bag' : 'Add to bag'
  return (
    <>
      <Button
        look="quiet"
        tone={tone}
        busy={busy}
        aria-disabled={inBag}
        aria-label={`${words}, ${book.title}`}
        onClick={() => void write()}
      >
        {words}
      </Button>
      {refusal && (
        <p className={tone ? undefined : 'refusal'} role="alert">
          That didn’t go into your bag. Check your connection and try again.
        </p>
      )}
    </>
  )
}

export const countAdded = (book: BookCard) =>
  void track((events) => events.addToCart(priced(book, currentSession().user?.currentSubscription != null)))
