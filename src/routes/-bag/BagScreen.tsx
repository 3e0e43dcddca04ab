import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import type { Cart, CartMember } from '#contract/bag.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { SeenBook } from '#features/analytics/events.ts'
import { track } from '#features/analytics/track.ts'
import { bagWords, bookOf, itemsWords, linePrices } from '#features/bag/model.ts'
import { removeBlocked, removeFromBag, saveGift } from '#features/bag/mutations.ts'
import { bagQuery, currentBag } from '#features/bag/queries.ts'
import { useBagHolder, useIsJoining } from '#features/bag/store.ts'
import type { ShownCart } from '#features/bag/waiting.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { BagSums, SumsWithMembership } from '#features/orders/Sums.tsx'
import { AddMembership, planForBag } from '#features/checkout/AddMembership.tsx'
import { BuyBagNow } from '#features/checkout/one-press.tsx'
import { useNoPaymentsYet, useUnsoldCountry } from '#features/checkout/queries.ts'
import { CODE_KEY, refreshCode } from '#features/discounts/codes.ts'
import { forgetGift, giftsReady, useGifts } from '#features/gifts/address-check.ts'
import { GiftFields } from '#features/gifts/GiftFields.tsx'
import { whenWas } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { type CoverPicture, Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { CannotLoad, Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { useWrite } from '../../writes/use-write.ts'
import { WasPrice } from '#ui/Price.tsx'
import { PageTop } from '#routes/-layout/PageTop.tsx'
import { NoPaymentsYet, NotSoldHere } from '#routes/-layout/SaleNotes.tsx'
import styles from './BagScreen.module.css'

export function BagScreen() {
  const holder = useBagHolder()
  const ready = useSession((state) => state.ready)
  const query = useQuery(bagQuery(holder))
  const joining = useIsJoining()
  const cart = query.data
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Shopping bag" hidden />
      {!ready || joining || (query.isLoading && holder.kind !== 'nobody') ? (
        <BagWaiting />
      ) : cart && cart.items.length > 0 ? (
        <FilledBag cart={cart} />
      ) : query.isError ? (
        <Unreachable onRetry={() => void query.refetch()} busy={query.isFetching} />
      ) : (
        <EmptyBag />
      )}
    </Wrap>
  )
}

function FilledBag({ cart }: { cart: ShownCart }) {
  // This device's copy has no total: only the server calculates it.
  const isCopy = cart.checkedAt !== undefined
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const checks = useGifts((state) => state.checks)
  const closed = useNoPaymentsYet() && toMinor(cart.sumCheckedForPayment) > 0
  const unsold = useUnsoldCountry()
  const savedCard = useSession(({ user }) => user?.savedCard)
  const [joins, setJoins] = useState(false)
  const offered = isCopy || closed || unsold ? undefined : planForBag(cart)
  const plan = joins ? offered : undefined
  // A bag with titles to remove, or with nothing to pay, goes the long way.
  const onePress =
    !plan && !isCopy && !closed && !unsold && !cart.blocked && toMinor(cart.sumCheckedForPayment) > 0
      ? savedCard
      : undefined
  useBagView(cart)

  const nothingToPay = toMinor(cart.sumBeforeDiscount) === 0
  const reason = isCopy
    ? 'Paying needs a connection.'
    : giftsReady(cart.items, checks)
      ? nothingToPay && !cart.blocked
        ? 'There’s nothing to pay for in your bag.'
        : undefined
      : 'Add an email address for each gift first.'

  const calculateAgain = useWrite(() => refreshCode(queryClient), { key: CODE_KEY })
  const remove = async (item: CartMember) => {
    const isTold = await removeFromBag(queryClient, item)
    forgetGift(item.uuid)
    const book = bookOf(item)
    if (book && isTold) void track((events) => events.removeFromCart(seen(item, book)))
    void calculateAgain.write()
  }
  const { write: pay, busy: paying } = useWrite(async () => {
    // Remove items that cannot be bought first, and show the bag again (BAG-19).
    if (cart.blocked && !(await removeBlocked(queryClient, cart))) return
    if ((currentBag(queryClient)?.items.length ?? 0) > 0)
      await navigate({ to: '/payment', ...(plan && { search: { join: 1 } }) })
  })
  return (
    <>
      <PageTop
        title="Shopping bag"
        aside={<p role="status">{isCopy ? itemsWords(cart) : bagWords(cart, plan !== undefined)}</p>}
      />
      <div className={styles.columns}>
        <ul role="list">
          {cart.items.map((item) => {
            const book = bookOf(item)
            return (
              book && (
                <BagItem
                  key={item.uuid}
                  item={item}
                  joins={plan !== undefined}
                  picture={coverOf(book)}
                  onRemove={() => remove(item)}
                >
                  {!isCopy && (
                    <GiftFields
                      uuid={item.uuid}
                      kind={item.audioBook ? 'audio_books' : 'e_books'}
                      slug={book.slug}
                      title={book.title}
                      gift={item.gift}
                      giftEmail={item.giftEmail}
                      giftMessage={item.giftMessage}
                      giftDeliveryDate={item.giftDeliveryDate}
                      forced={book.inLibrary}
                      save={(draft) => saveGift(queryClient, item.uuid, draft)}
                    />
                  )}
                </BagItem>
              )
            )
          })}
        </ul>
        <section className={styles.summary} aria-labelledby="summary">
          <Display as="h2" size="sm" id="summary">
            Order summary
          </Display>
          {isCopy ? (
            <p role="note">
              {cart.checkedAt
                ? `You’re offline. Prices as of ${whenWas(cart.checkedAt)}.`
                : 'You’re offline.'}{' '}
              We’ll check each title and work out your total when you’re back online.
            </p>
          ) : (
            ((plan && <SumsWithMembership cart={cart} plan={plan} />) ?? <BagSums cart={cart} />)
          )}
          {!isCopy && cart.sumForMembers !== undefined && <ForMembers sum={cart.sumForMembers} />}
          {offered && <AddMembership cart={cart} plan={offered} checked={joins} onChange={setJoins} />}
          {unsold && <NotSoldHere country={unsold}>{LOOK_AROUND}</NotSoldHere>}
          {!unsold && closed && <NoPaymentsYet>Your bag waits for you here.</NoPaymentsYet>}
          {onePress && (
            <Suspense fallback={<div className={styles.press} />}>
              <BuyBagNow cart={cart} card={onePress} reason={reason} />
            </Suspense>
          )}
          {!unsold && !onePress && (
            <Button
              look={closed ? 'quiet' : 'beak'}
              tall
              block
              busy={paying}
              disabledReason={paying ? undefined : reason}
              onClick={() => void pay()}
            >
              {closed ? 'I have a code' : 'Pay now'}
            </Button>
          )}
          {!closed && !unsold && <p className="quiet">powered by Stripe</p>}
        </section>
      </div>
    </>
  )
}

/** What the bag would cost a member. */
const ForMembers = ({ sum }: { sum: number }) => (
  <p>
    {amount(toMinor(sum))} for members.{' '}
    <Link to="/subscription/{-$token}" className="text-link">
      See the membership
    </Link>
  </p>
)

const LOOK_AROUND = 'Look around as long as you like: samples play on every book’s page.'

/** Sends one event each time a non-empty bag is opened (ANLT-06). */
function useBagView(cart: Cart): void {
  const tracked = useRef(false)
  useEffect(() => {
    if (tracked.current) return
    tracked.current = true
    const books = cart.items.flatMap((item) => {
      const book = bookOf(item)
      return book ? [seen(item, book)] : []
    })
    void track((events) => events.viewCart(books, toMinor(cart.sumCheckedForPayment)))
  }, [cart])
}

const seen = (item: CartMember, { slug, title }: { slug: string; title: string }): SeenBook => ({
  entityType: item.audioBook ? 'audioBook' : 'eBook',
  slug,
  title,
  price: item.price,
})

function EmptyBag() {
  return (
    <>
      <PageTop title="Shopping bag" />
      <Empty
        title="Your bag is empty. The shelves aren’t."
        help="Samples play on every book’s page."
        action={
          <LinkButton to="/" look="solid">
            Back to the shop
          </LinkButton>
        }
      />
    </>
  )
}

function Unreachable({ onRetry, busy }: { onRetry: () => void; busy: boolean }) {
  return (
    <>
      <PageTop title="Shopping bag" />
      <CannotLoad
        title="We can’t load your bag just now."
        help="Nothing in it is lost. It needs a connection."
        busy={busy}
        onRetry={onRetry}
      />
    </>
  )
}

interface BagItemProps {
  item: CartMember
  /** A membership is bought with the bag. */
  joins: boolean
  picture: CoverPicture
  onRemove: () => Promise<unknown>
  /** The gift's fields; undefined for an item that cannot be bought. */
  children?: ReactNode
}

function BagItem({ item, joins, picture, onRemove, children }: BagItemProps) {
  const book = bookOf(item)
  const { before, now } = linePrices(item, joins)
  const { write, busy, refusal } = useWrite(onRemove, {
    onSuccess: () => announce(`${book?.title} has been removed from your bag.`),
    message: () => 'It’s still in your bag. Check your connection and try again.',
  })
  if (!book) return null

  return (
    <li className={styles.item} aria-busy={busy}>
      <span className={styles.cover}>
        <Cover picture={picture} alt="" sizes="96px" thumb dim={!item.available} />
      </span>
      <div>
        <h2 className={styles.title}>
          <Link to={item.audioBook ? '/audiobooks/$slug' : '/ebooks/$slug'} params={{ slug: book.slug }}>
            {book.title}
          </Link>
        </h2>
        <p className={styles.kind}>
          {item.audioBook ? 'Audiobook' : 'E-book'}, {book.authors.map(({ fullName }) => fullName).join(', ')}
        </p>
        {!item.available && (
          <p className={styles.blocked}>
            {item.geoBlocked ? MESSAGES.notAvailableInRegion : MESSAGES.notAvailable}
          </p>
        )}
      </div>
      {item.available && (
        <p className={styles.price}>
          <WasPrice className="quiet" before={before} now={now} />
          <b>{amount(now)}</b>
        </p>
      )}
      <div className={styles.below}>
        {item.available && children}
        <Button look="text" busy={busy} aria-label={`Remove ${book.title}`} onClick={() => void write()}>
          Remove
        </Button>
        {refusal && (
          <p className={styles.failed} role="alert">
            {refusal}
          </p>
        )}
      </div>
    </li>
  )
}

function BagWaiting() {
  return (
    <div aria-busy="true">
      <PageTop title="Shopping bag" />
      <div className={styles.columns}>
        <div>
          <Skeleton height="140px" />
        </div>
        <Skeleton height="280px" />
      </div>
    </div>
  )
}
