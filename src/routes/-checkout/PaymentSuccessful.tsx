import { useNavigate, useRouterState } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { GoInstead } from '#app/problems/GoInstead.tsx'
import type { Order, OrderItem, OrderMember } from '#contract/orders.ts'
import { NoPasswordYet } from '#features/account/no-password-yet.tsx'
import { coverOf } from '#features/catalogue/model.ts'
import { hasProof, type ReturnProof } from '#features/checkout/addresses.ts'
import { useConfirmation } from '#features/checkout/wait-for-payment.ts'
import { ownItems } from '#features/orders/model.ts'
import { OrderLines } from '#features/orders/OrderLines.tsx'
import { OrderSums } from '#features/orders/Sums.tsx'
import { listenTo } from '#features/player/lazy.ts'
import { weekdayAndDay } from '#format/date.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { Outcome } from '#routes/-layout/Outcome.tsx'
import styles from './checkout.module.css'
import { PayPalProblem } from './PaymentProblem.tsx'
import { PresentsGiven } from './PresentsGiven.tsx'

/** Every payment leads here: the page waits for the order, and shows the outcome (ORDER-01). */
export function PaymentSuccessful({ proof }: { proof: ReturnProof }) {
  const ready = useSession((state) => state.ready)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready) return <div aria-busy="true" />
  if (!signedIn && !hasProof(proof)) return <GoInstead to="/access-denied" />
  return <Confirmation proof={proof} />
}

function Confirmation({ proof }: { proof: ReturnProof }) {
  const confirmed = useConfirmation(proof)
  const signedIn = useSession((state) => state.status === 'user')
  if (confirmed === undefined || confirmed.is === 'refused')
    return (
      <Outcome
        name="Checking your payment"
        title="Checking your payment"
        words="One moment. We’re waiting to hear from your bank. There’s no need to pay again."
        waiting
      />
    )
  if (confirmed.is === 'paypal-problem') return <PayPalProblem />
  if (confirmed.is === 'order') return <Thanks order={confirmed.order} />
  return (
    <Outcome
      name="Payment successful"
      title="Your payment went through."
      words="The books are in the library of the account that bought them."
      ways={
        signedIn ? (
          <LinkButton to="/library" look="beak">
            Go to your library
          </LinkButton>
        ) : (
          <LinkButton to="/login" search={{ from: '/library' }} look="beak">
            Log in
          </LinkButton>
        )
      }
    />
  )
}

function Thanks({ order }: { order: Order | OrderMember }) {
  const newUser = useRouterState({ select: ({ location }) => location.state.newUser === true })
  const own = ownItems(order)
  const gifts = order.orderItems.filter(({ gift }) => gift)
  const books = own.flatMap(({ audioBook, eBook }) => audioBook ?? eBook ?? [])
  const [only] = books.length === 1 ? books : []
  const words = [
    own.length > 0 &&
      (own.length === 1 ? 'It’s in your library now.' : `${own.length} books are in your library now.`),
    gifts.length > 0 && giftsWords(gifts),
    own.length + gifts.length === 0 && 'Your membership is paid.',
    newUser && 'Your account is ready. Please confirm your email address using the link in our email.',
  ]
    .filter(Boolean)
    .join(' ')
  const ways = (
    <div className={styles.ways}>
      {only && own[0] && <Begin item={own[0]} />}
      {own.length > 0 && (
        <LinkButton to="/library" look={only ? 'text' : 'beak'}>
          Go to your library
        </LinkButton>
      )}
      {own.length + gifts.length === 0 && (
        <LinkButton to="/subscription-details" look="beak">
          Your membership
        </LinkButton>
      )}
      <LinkButton
        to="/orders/$id"
        params={{ id: order.uuid }}
        look={gifts.length < order.orderItems.length ? 'text' : 'quiet'}
      >
        Receipt
      </LinkButton>
    </div>
  )
  const headline = (
    <>
      <Display as="h1" size="lg">
        {thanksWords(own, gifts)}
      </Display>
      <p className="lead">{words}</p>
    </>
  )
  const receipt = (
    <section className={styles.receipt} aria-label={`Order ${order.orderNumber}`}>
      <p>Order {order.orderNumber}</p>
      <OrderLines items={order.orderItems} linked />
      <OrderSums order={order} />
    </section>
  )
  if (only)
    return (
      <Wrap className={styles.bought}>
        <PageHead title="Payment successful" hidden />
        <Cover
          picture={coverOf(only)}
          alt={only.coverAlt}
          sizes="(min-width: 900px) 384px, 280px"
          className={styles.boughtCover}
        />
        <div>
          {headline}
          {ways}
          <NoPasswordYet />
          {gifts.length > 0 && <PresentsGiven order={order} />}
          {receipt}
        </div>
      </Wrap>
    )
  return (
    <Wrap className={styles.bought}>
      <PageHead title="Payment successful" hidden />
      <div>
        {headline}
        {ways}
        <NoPasswordYet />
      </div>
      <div>
        {books.length > 0 && (
          <ul role="list" className={styles.covers}>
            {own.map((item) => (
              <li key={item.id}>
                <Cover
                  picture={coverOf((item.audioBook ?? item.eBook)!)}
                  alt={item.title}
                  sizes="220px"
                  className={item.eBook ? styles.eBook : undefined}
                />
                <Begin item={item} small />
              </li>
            ))}
          </ul>
        )}
        {gifts.length > 0 && <PresentsGiven order={order} />}
        {receipt}
      </div>
    </Wrap>
  )
}

function thanksWords(own: readonly OrderItem[], gifts: readonly OrderItem[]): string {
  if (own.length > 0) return 'Thank you. It’s all yours.'
  if (gifts.length === 0) return 'Thank you.'
  return gifts.every(({ giftDeliveryDate }) => giftDeliveryDate)
    ? 'Thank you. It’s arranged.'
    : 'Thank you. It’s on its way.'
}

function giftsWords(gifts: readonly OrderItem[]): string {
  const days = gifts.flatMap(({ giftDeliveryDate }) => giftDeliveryDate ?? [])
  if (gifts.length > 1)
    return `${gifts.length} gifts ${days.length > 0 ? 'arrive by email, each on its day' : 'are on the way by email'}.`
  return days[0]
    ? `Your gift arrives by email on ${weekdayAndDay(days[0])}.`
    : 'Your gift is on the way by email.'
}

/** A bought title starts here. */
function Begin({ item: { audioBook, eBook, title }, small = false }: { item: OrderItem; small?: boolean }) {
  const navigate = useNavigate()
  const look = small ? 'quiet' : 'beak'
  if (eBook)
    return (
      <LinkButton
        to="/read/$slug"
        params={{ slug: eBook.slug }}
        look={look}
        tall={!small}
        aria-label={`Read now: ${title}`}
      >
        {small ? 'Read' : 'Read now'}
      </LinkButton>
    )
  if (!audioBook) return null
  const { slug } = audioBook
  const listen = () =>
    void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  return (
    <Button look={look} tall={!small} aria-label={`Listen now: ${title}`} onClick={listen}>
      {small ? 'Listen' : 'Listen now'}
    </Button>
  )
}
