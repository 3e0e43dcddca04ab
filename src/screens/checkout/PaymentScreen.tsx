import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Cart } from '#contract/bag.ts'
import { isUpdated } from '#features/bag/mutations.ts'
import { bagQuery, heldBag, reloadBag } from '#features/bag/queries.ts'
import { bagHolder, dropCart, guestCart, useBagHolder, useIsJoining } from '#features/bag/store.ts'
import { checkoutCart, outcomeOf, registerAtTill } from '#features/checkout/calls.ts'
import { confirmPayment } from '#features/checkout/confirm.ts'
import { isFree, payForBag, type TillEnd } from '#features/checkout/pay.ts'
import { PaymentForm, type Method, type Refusal } from '#features/checkout/PaymentForm.tsx'
import { giveUpPayment, keepCode, rememberPayment } from '#features/checkout/pending.ts'
import { isPayingDocument } from '#features/checkout/paying-document.ts'
import { useCard } from '#features/checkout/use-card.ts'
import { useStripe } from '#features/checkout/use-stripe.ts'
import type { PaymentDetails } from '#features/checkout/validation.ts'
import { useDiscount } from '#features/discounts/store.ts'
import { giftsReady } from '#features/gifts/model.ts'
import { useGifts } from '#features/gifts/store.ts'
import { amount, toMinor } from '#format/money.ts'
import { enter } from '#session/session.ts'
import { currentSession, useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/PageHead.tsx'
import styles from './PaymentScreen.module.css'
import { NobodyKnows } from './PaymentProblem.tsx'
import { TillSummary } from './TillSummary.tsx'
import { useLogInFirst } from '../account/use-log-in-first.ts'
import { useTillOpening, type TillOpening } from './use-till-opening.ts'

/** The till (PAY-01). Without anything to pay it leads home (PAY-05). */
export function PaymentScreen() {
  const router = useRouter()
  const holder = useBagHolder()
  const ready = useSession((state) => state.ready)
  const query = useQuery(bagQuery(holder))
  const joining = useIsJoining()
  const opening = useTillOpening()
  const opened = opening.is === 'open'
  const provider = useStripe()
  // While it is being paid the form and the card's fields stay as they are, whoever holds the bag meanwhile.
  const [held, setHeld] = useState<Cart>()
  const known = holder.kind === 'nobody' || (query.data !== undefined && !query.isFetching)
  const empty = ready && !joining && known && (query.data?.itemCount ?? 0) === 0

  useEffect(() => {
    // A bag that is empty because it was just paid leads to its order, not home.
    if (empty && opened && !held) void router.navigate({ to: '/', replace: true })
  }, [empty, opened, held, router])

  const cart = held ?? query.data
  if (opening.is === 'silent') return <NobodyKnows onAskAgain={opening.askAgain} />
  const mayPay = opened && !joining && (isPayingDocument() || provider.failed)
  return (
    <Wrap className={styles.till}>
      <PageHead title="Checkout" hidden />
      {cart && cart.itemCount > 0 && (held || mayPay) ? (
        <Till cart={cart} provider={provider} lostCode={opening.lostCode} onPaying={setHeld} />
      ) : (
        <>
          <Display as="h1" size="lg">
            Checkout
          </Display>
          {query.isError ? (
            <div className={styles.unreachable}>
              <p>We can’t load your bag just now. Nothing in it is lost, and nothing was charged.</p>
              <Button look="solid" busy={query.isFetching} onClick={() => void query.refetch()}>
                Try again
              </Button>
            </div>
          ) : (
            <div aria-busy="true" />
          )}
        </>
      )}
    </Wrap>
  )
}

interface TillProps {
  cart: Cart
  provider: ReturnType<typeof useStripe>
  lostCode: TillOpening['lostCode']
  /** The bag that is being paid; undefined when the form is free again. */
  onPaying: (cart: Cart | undefined) => void
}

function Till({ cart, provider: { stripe, test, failed, retry }, lostCode, onPaying }: TillProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const logIn = useLogInFirst()
  const visitor = useSession((state) => state.status !== 'user')
  const discounting = useDiscount((state) => state.isLoading)
  const checks = useGifts((state) => state.checks)
  const card = useCard(stripe)
  const [refusal, setRefusal] = useState<Refusal>()
  const [url, setUrl] = useState<string>()
  const totalMinor = toMinor(cart.sumCheckedForPayment)
  const free = isFree(totalMinor, cart.itemCount)

  const pay = async (details: PaymentDetails, method: Method) => {
    setRefusal(undefined)
    onPaying(cart)
    const account = currentSession().status === 'user' ? undefined : accountOf(details)
    const end = await payForBag(account, {
      isUpdated: () => isUpdated(heldBag(queryClient)?.uuid ?? cart.uuid),
      register: async (wish) => {
        const guest = guestCart() ?? cart.uuid
        const pair = await registerAtTill(guest, wish)
        // The bag is the account's by now: there is nothing left to join.
        dropCart(guest)
        await enter(pair)
        await queryClient.fetchQuery(bagQuery(bagHolder()))
      },
      checkout: () =>
        checkoutCart(heldBag(queryClient)?.uuid ?? cart.uuid, {
          couponCode: cart.discount?.discount_code ?? null,
          amount: cart.sumCheckedForPayment,
          waiver: details.waiver,
        }),
      confirm: (secret, returnUrl) =>
        confirmPayment(stripe, { method, secret, returnUrl, card: card.element(), name: details.cardholder }),
      outcome: outcomeOf,
      remember: (pending) => rememberPayment({ ...pending, code: cart.discount?.discount_code ?? null }),
    })
    await go(end)
  }
  const go = async (end: TillEnd): Promise<void> => {
    if (end.end === 'stay') {
      setRefusal(end)
      if (end.totalChanged) await reloadBag(queryClient)
      // One that may be paid already stays as it is: the next press asks for the same again.
      if (!end.uncertain) onPaying(undefined)
      return
    }
    if (end.end === 'successful')
      return navigate({
        to: '/payment-successful',
        state: { order: end.order, newUser: end.newUser, ...(end.secret ? { secret: end.secret } : {}) },
        replace: true,
      })
    if (end.end === 'bag') return navigate({ to: '/shopping-bag' })
    if (end.end === 'follow') {
      setUrl(end.url)
      // Long enough to be drawn: the button says where the page goes (PAY-48).
      await new Promise((resolve) => setTimeout(resolve, 100))
      return window.location.assign(end.url)
    }
    giveUpPayment()
    if (cart.discount) keepCode(cart.discount.discount_code)
    // The account's own bag stays as it is (PAY-28).
    const guest = guestCart()
    if (guest && currentSession().status === 'user') dropCart(guest)
    return navigate({ to: '/payment-problem', state: end.secret ? { secret: end.secret } : {} })
  }
  return (
    <>
      <div className={styles.head}>
        <Display as="h1" size="lg">
          Checkout
        </Display>
        {visitor && (
          <Button look="text" onClick={logIn}>
            Already have an account? Log in
          </Button>
        )}
      </div>
      {test && (
        <p className={styles.test} role="note">
          Test payments. No money moves.
        </p>
      )}
      {lostCode && !cart.discount && (
        <p className={styles.lostCode} role="alert">
          Your code {lostCode.code} couldn’t be applied again: {lostCode.why}. The total is now{' '}
          {amount(totalMinor)}.
        </p>
      )}
      <TillSummary cart={cart} />
      <div className={styles.form}>
        {failed && !free && (
          <div className={styles.unreachable} role="alert">
            <p>Our card provider can’t be reached. Nothing has been charged.</p>
            <Button look="quiet" onClick={retry}>
              Try again
            </Button>
          </div>
        )}
        <PaymentForm
          visitor={visitor}
          free={free}
          card={card}
          providerReady={stripe !== null}
          blocked={blockedBy(cart, discounting, checks)}
          refusal={refusal}
          label={url ? 'Go to checkout' : free ? 'Complete free order' : 'Pay now'}
          note={(method) => (
            <>
              {free ? 'There is nothing to pay.' : `${amount(totalMinor)} including VAT. ${ABOUT[method]}`}{' '}
              See our{' '}
              <Link to="/info/$slug" params={{ slug: 'terms-conditions' }} target="_blank">
                terms
              </Link>{' '}
              and{' '}
              <Link to="/info/$slug" params={{ slug: 'terms-privacy-etc' }} target="_blank">
                privacy policy
              </Link>
              .
            </>
          )}
          onPay={pay}
        />
        <LinkButton to="/shopping-bag" look="text">
          Back to your bag
        </LinkButton>
      </div>
    </>
  )
}

const ABOUT = {
  card: 'Card details go straight to our card provider; we never see them.',
  paypal: 'You’ll go to PayPal to approve the payment, then come straight back here.',
} as const

function blockedBy(
  cart: Cart,
  discounting: boolean,
  checks: Parameters<typeof giftsReady>[1],
): string | undefined {
  if (discounting) return 'We’re checking your discount code.'
  return giftsReady(cart.items, checks) ? undefined : 'A gift in your bag still needs an email address.'
}

const accountOf = ({ email, password, firstName, lastName, countryCode }: PaymentDetails) => ({
  email,
  password,
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  countryCode,
})
