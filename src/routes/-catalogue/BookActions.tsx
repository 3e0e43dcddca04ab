import { HeadphonesIcon } from '@phosphor-icons/react/dist/csr/Headphones'
import { useNavigate } from '@tanstack/react-router'
import type { Book } from '#contract/catalogue.ts'
import { priced } from '#features/analytics/use-views.ts'
import { track } from '#features/analytics/track.ts'
import { BuyButton } from '#features/bag/BuyButton.tsx'
import { offerOf } from '#features/bag/model.ts'
import { BuyAtCheckout, OnePress, useCardFor } from '#features/checkout/one-press.tsx'
import { useNoPaymentsYet } from '#features/checkout/queries.ts'
import { listenTo } from '#features/player/lazy.ts'
import { currentSession, useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useLogInFirst } from '#app/pop-ups/authentication.ts'
import styles from '#features/catalogue/book-page.module.css'
import { NoPaymentsYet } from '#routes/-layout/SaleNotes.tsx'
import { OwnedActions } from './OwnedBook.tsx'

interface BookActionsProps {
  book: Book
  /** False until the server answered the owner of a book that the device knows to be owned. */
  isComplete?: boolean
}

export function BookActions({ book, isComplete = true }: BookActionsProps) {
  const logIn = useLogInFirst()
  const costs = ['buy', 'claim'].includes(offerOf(book))
  const closed = useNoPaymentsYet() && costs
  const hasCard = useCardFor(book) !== undefined
  const savesCard = useSession(({ user }) => user?.savedCard !== undefined)
  const buy = (
    <BuyButton
      key={`${book.entityType}/${book.slug}`}
      book={book}
      quiet={hasCard}
      onLogInFirst={logIn}
      onAdded={(added) => void track((events) => events.addToCart(priced(added, isPremium())))}
    />
  )
  // Keyed, so that the button keeps its state when the elements around it change.
  if (book.inLibrary)
    return [
      <OwnedActions key="owned" book={book} isComplete={isComplete} sample={<SampleButton book={book} />} />,
      buy,
      null,
    ]
  // A book that can't be bought here may still have a sample; the server decides (BOOK-23).
  return [
    <OnePress key="now" book={book} />,
    buy,
    !savesCard && !closed && offerOf(book) === 'buy' && <BuyAtCheckout key="at-checkout" book={book} />,
    book.sample ? <SampleButton key="sample" book={book} /> : null,
    closed && <PaidByCodes key="closed" />,
  ]
}

const PaidByCodes = () => <NoPaymentsYet>A code that covers the whole price already works.</NoPaymentsYet>

const isPremium = () => currentSession().user?.currentSubscription != null

function SampleButton({ book }: { book: Book }) {
  const navigate = useNavigate()
  const ref = { slug: book.slug, kind: 'sample' } as const
  return (
    <Button
      look="quiet"
      tone="title"
      className={styles.sample}
      onClick={() =>
        void listenTo(ref, () => void navigate({ to: '/sample/$slug', params: { slug: book.slug } }))
      }
    >
      <Icon of={HeadphonesIcon} size={18} />
      Play sample
    </Button>
  )
}
