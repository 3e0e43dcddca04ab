import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Cart, CartMember } from '#contract/bag.ts'
import { track } from '#features/analytics/track.ts'
import type { SeenBook } from '#features/analytics/events.ts'
import { BagItem } from '#features/bag/BagItem.tsx'
import { BagSums } from '#features/checkout/BagSums.tsx'
import { bagWords, bookOf, itemsWords } from '#features/bag/model.ts'
import { removeBlocked, removeFromBag, saveGift } from '#features/bag/mutations.ts'
import { bagQuery, currentBag } from '#features/bag/queries.ts'
import { useBagHolder, useIsJoining } from '#features/bag/store.ts'
import type { ShownCart } from '#features/bag/waiting.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { useNoPaymentsYet, useUnsoldCountry } from '#features/checkout/payment-settings.ts'
import { CODE_KEY, refreshCode } from '#features/discounts/mutations.ts'
import { GiftFields } from '#features/gifts/GiftFields.tsx'
import { giftsReady } from '#features/gifts/model.ts'
import { forgetGift, useGifts } from '#features/gifts/store.ts'
import { whenWas } from '#format/date.ts'
import { toMinor } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { useWrite } from '../../writes/use-write.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { BagWaiting } from './BagWaiting.tsx'
import styles from './BagScreen.module.css'
import { NoPaymentsYet, NotSoldHere } from '#routes/-layout/SaleNotes.tsx'
import { PageTop } from '#routes/-layout/PageTop.tsx'

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
  // This device's copy has no total: only the server works it out.
  const isCopy = cart.checkedAt !== undefined
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const checks = useGifts((state) => state.checks)
  const closed = useNoPaymentsYet() && toMinor(cart.sumCheckedForPayment) > 0
  const unsold = useUnsoldCountry()
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
    // Take out what cannot be bought first, and show the bag once more (BAG-19).
    if (cart.blocked && !(await removeBlocked(queryClient, cart))) return
    if ((currentBag(queryClient)?.items.length ?? 0) > 0) await navigate({ to: '/payment' })
  })
  return (
    <>
      <PageTop
        title="Shopping bag"
        aside={<p role="status">{isCopy ? itemsWords(cart) : bagWords(cart)}</p>}
      />
      <div className={styles.columns}>
        <ul role="list">
          {cart.items.map((item) => {
            const book = bookOf(item)
            return (
              book && (
                <BagItem key={item.uuid} item={item} picture={coverOf(book)} onRemove={() => remove(item)}>
                  {!isCopy && (
                    <GiftFields
                      uuid={item.uuid}
                      kind={item.audioBook ? 'audio_books' : 'e_books'}
                      slug={book.slug}
                      title={book.title}
                      gift={item.gift}
                      giftEmail={item.giftEmail}
                      giftMessage={item.giftMessage}
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
            <BagSums cart={cart} />
          )}
          {unsold && <NotSoldHere country={unsold}>{LOOK_AROUND}</NotSoldHere>}
          {!unsold && closed && <NoPaymentsYet>Your bag waits for you here.</NoPaymentsYet>}
          {!unsold && (
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

const LOOK_AROUND = 'Look around as long as you like: samples play on every book’s page.'

/** Once each time the bag is opened with something in it (ANLT-06). */
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
      <Empty
        title="We can’t load your bag just now."
        help="Nothing in it is lost. It needs a connection."
        action={
          <Button look="solid" busy={busy} onClick={onRetry}>
            Try again
          </Button>
        }
      />
    </>
  )
}
