import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { confirmationOf, problemState } from '#features/checkout/addresses.ts'
import { useCard } from '#features/checkout/CardFields.tsx'
import { payFor, type PaymentEnd } from '#features/checkout/pay.ts'
import { PaymentForm, type Refusal } from '#features/checkout/PaymentForm.tsx'
import type { Method, Purchase } from '#features/checkout/purchase.ts'
import {
  isAddressKnown,
  outcomeOf,
  useCountriesSold,
  useCountryHere,
  useNoPaymentsYet,
  useTestPayments,
  useUnsoldCountry,
} from '#features/checkout/queries.ts'
import {
  forgetPayment,
  giveUpPayment,
  hadWallets,
  rememberPayment,
  storeHasWallets,
} from '#features/checkout/store.ts'
import { confirmByWallet, confirmPayment, type useStripe } from '#features/checkout/stripe.ts'
import type { CheckoutOpening } from '#features/checkout/use-checkout-opening.ts'
import type { PaymentDetails } from '#features/checkout/validation.ts'
import type { WalletPayment } from '#features/checkout/Wallets.tsx'
import { has } from '#features/shop-details/shop.ts'
import { guessedCountry } from '#format/countries.ts'
import { amount } from '#format/money.ts'
import { currentSession, useSession } from '#session/store.ts'
import { wait } from '#storage/wait.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { NewTab } from '#ui/NewTab.tsx'
import { useLogInFirst } from '#app/pop-ups/authentication.ts'
import { NoPaymentsYet, NotSoldHere } from '#routes/-layout/SaleNotes.tsx'
import styles from './checkout.module.css'

const Wallets = lazyPart(() => import('#features/checkout/Wallets.tsx'), 'Wallets')

interface CheckoutProps {
  purchase: Purchase
  provider: ReturnType<typeof useStripe>
  notice?: ReactNode
  summary: ReactNode
  /** True when a payment starts, false when the form can be edited again. */
  onPaying: (paying: boolean) => void
  /** Offers a log-in (PAY-06). */
  logIn?: boolean | undefined
  name?: string
}

export function Checkout({
  purchase,
  provider,
  notice,
  summary,
  onPaying,
  logIn: offersLogIn = true,
  name = 'Checkout',
}: CheckoutProps) {
  const { stripe, failed, retry } = provider
  const navigate = useNavigate()
  const logIn = useLogInFirst()
  const visitor = useSession((state) => state.status !== 'user')
  const fullName = useSession(({ owner, status }) => (status === 'user' ? owner?.fullName : undefined))
  const card = useCard(stripe)
  // A browser without wallets reserves no space for them from its second visit on: nothing shifts.
  const [hasWallets] = useState(hadWallets)
  const [refusal, setRefusal] = useState<Refusal>()
  const [url, setUrl] = useState<string>()
  const { waiver, wallet, label, charge, blocked, code, back, marked, membership } = purchase
  const methods = purchase.methods.filter((method) => method !== 'paypal' || has('payPal'))
  const closed = useNoPaymentsYet() && methods.length > 0
  const test = useTestPayments()
  const elsewhere = useUnsoldCountry()
  const among = useCountriesSold()
  const here = useCountryHere()
  // A member can pay for an existing membership from any country.
  const unsold = membership?.kind === 'card' ? undefined : elsewhere

  const pay = async (details: PaymentDetails, method: Method) => {
    setRefusal(undefined)
    onPaying(true)
    const giver = currentSession().status === 'user' ? undefined : giverOf(details)
    const account = giver && details.withAccount ? { ...giver, password: details.password } : undefined
    const saves =
      details.saveCard && method === 'card' && (account || !giver) ? { saveCard: true as const } : {}
    const end = await payFor(account, {
      isUpdated: purchase.isUpdated,
      register: purchase.register,
      checkout: () =>
        purchase.checkout({ waiver: details.waiver, ...saves, ...(giver && !account && { giver }) }),
      confirm: (secret, returnUrl) =>
        confirmPayment(stripe, { method, secret, returnUrl, card: card.element(), name: details.cardholder }),
      outcome: outcomeOf,
      remember: (pending) => rememberPayment({ ...pending, code, ...(membership && { membership }) }),
    })
    await go(end)
  }
  /** Resolves with a message if the buyer stays here. */
  const payByWallet = async ({ elements, person }: WalletPayment): Promise<string | undefined> => {
    setRefusal(undefined)
    onPaying(true)
    const consent = wallet!.consent
    // A gift needs no account.
    const account = purchase.account ? undefined : person
    const giver = account ? {} : person && { giver: person }
    const end = await payFor(account, {
      isUpdated: purchase.isUpdated,
      register: purchase.register,
      checkout: () => purchase.checkout({ waiver: true, consent, ...giver }),
      confirm: (secret, returnUrl) => confirmByWallet(stripe, { elements, secret, returnUrl }),
      outcome: outcomeOf,
      remember: (pending) => rememberPayment({ ...pending, code, ...(membership && { membership }) }),
    })
    if (end.end !== 'stay') return void (await go(end))
    if (end.totalChanged) await purchase.refresh()
    if (!end.uncertain) onPaying(false)
    return end.message
  }
  const go = async (end: PaymentEnd): Promise<void> => {
    if (end.end === 'stay') {
      setRefusal(end)
      if (end.totalChanged) await purchase.refresh()
      // The payment may have succeeded: keep it, so that the next press checks the same payment.
      if (!end.uncertain) onPaying(false)
      return
    }
    if (end.end === 'successful') {
      let done: string | undefined
      if (end.secret && purchase.finish) {
        done = await purchase.finish(end.secret).catch(() => undefined)
        // Stripe has the card, but the server doesn't know it yet: the next press sends it again.
        if (done === undefined) return go({ end: 'stay', message: MESSAGES.somethingWentWrong })
        forgetPayment()
      }
      return navigate({ ...confirmationOf({ ...end, membership, done }), replace: true })
    }
    if (end.end === 'updated') return navigate({ to: back.to, search: back.search ?? {} })
    if (end.end === 'follow') {
      setUrl(end.url)
      // Long enough to read on the button where the redirect leads (PAY-48).
      await wait(100)
      return window.location.assign(end.url)
    }
    giveUpPayment()
    purchase.unpaid()
    return navigate({ to: '/payment-problem', state: problemState(end.secret, membership) })
  }
  return (
    <>
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {name}
        </Display>
        {visitor && offersLogIn && (
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
      {unsold && <NotSoldHere country={unsold}>Nothing was charged.</NotSoldHere>}
      {!unsold && notice}
      {!unsold && summary}
      <div className={styles.form}>
        {closed && !unsold && (
          <NoPaymentsYet>Nothing was charged. A code that covers all of it already works.</NoPaymentsYet>
        )}
        {failed && !closed && !unsold && methods.length > 0 && (
          <div className={styles.unreachable} role="alert">
            <p>Our card provider can’t be reached. Nothing has been charged.</p>
            <Button look="quiet" onClick={retry}>
              Try again
            </Button>
          </div>
        )}
        {wallet && !closed && !unsold && !failed && (
          <div className={styles.walletSlot} data-none={hasWallets ? undefined : ''}>
            {stripe && (
              <Suspense>
                <Wallets
                  stripe={stripe}
                  offer={wallet}
                  visitor={visitor}
                  blocked={blocked}
                  country={here ?? guessedCountry()}
                  pay={payByWallet}
                  onKnown={storeHasWallets}
                  onLogIn={logIn}
                />
              </Suspense>
            )}
          </div>
        )}
        {!closed && !unsold && (
          <PaymentForm
            visitor={visitor}
            name={fullName}
            methods={methods}
            waiver={waiver}
            card={card}
            savesCard={purchase.savesCard}
            providerReady={stripe !== null}
            blocked={blocked}
            refusal={refusal}
            account={purchase.account}
            marked={marked}
            among={among}
            here={here}
            isKnown={isAddressKnown}
            onLogIn={logIn}
            label={url ? 'Go to checkout' : label}
            note={(method) => (
              <>
                {methods.includes(method) ? `${charge} ${ABOUT[method]}` : charge} See our{' '}
                <Link to="/info/$slug" params={{ slug: 'terms-conditions' }} target="_blank">
                  terms
                  <NewTab />
                </Link>{' '}
                and{' '}
                <Link to="/info/$slug" params={{ slug: 'terms-privacy-etc' }} target="_blank">
                  privacy policy
                  <NewTab />
                </Link>
                .
              </>
            )}
            onPay={pay}
          />
        )}
        <LinkButton to={back.to} search={back.search ?? {}} look="text">
          {back.words}
        </LinkButton>
      </div>
    </>
  )
}

const ABOUT: Readonly<Record<Method, string>> = {
  card: 'Card details go straight to our card provider; we never see them.',
  paypal: 'You’ll go to PayPal to approve the payment, then come straight back here.',
}

const giverOf = ({ email, firstName, lastName, countryCode }: PaymentDetails) => ({
  email,
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  countryCode,
})

interface LostCodeProps {
  lost: NonNullable<CheckoutOpening['lostCode']>
  totalMinor: number
}

/** The code of a failed order, if it can't be used any more. */
export const LostCode = ({ lost, totalMinor }: LostCodeProps) => (
  <p className={styles.lostCode} role="alert">
    Your code{lost.code && ` ${lost.code}`} couldn’t be applied again: {lost.why}. The total is now{' '}
    {amount(totalMinor)}.
  </p>
)
