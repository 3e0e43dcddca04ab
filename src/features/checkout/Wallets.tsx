import type { Stripe, StripeElements, StripeElementsOptionsMode } from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { shop } from '#features/shop-details/shop.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { readScheme } from '#ui/scheme.ts'
import { EMAIL_TAKEN } from './pay.ts'
import styles from './checkout.module.css'
import type { Giver, WalletOffer } from './purchase.ts'

/** What a buyer approved in a wallet. `person` is undefined for a buyer who is logged in. */
export interface WalletPayment {
  readonly elements: StripeElements
  readonly person: Giver | undefined
}

export interface WalletsProps {
  stripe: Stripe
  offer: WalletOffer
  visitor: boolean
  /** Why the purchase can't be paid yet. */
  blocked: string | undefined
  /** The country of a buyer whose wallet names none. */
  country: string
  /** Resolves with a message if nothing has been paid. */
  pay: (approved: WalletPayment) => Promise<string | undefined>
  /** Whether this browser has a wallet. */
  onKnown: (hasSome: boolean) => void
  onLogIn: () => void
}

/** Apple Pay, Google Pay and Link: the buttons of Stripe's element, and the sentence that a press agrees to. */
export function Wallets({ stripe, offer, visitor, blocked, country, pay, onKnown, onLogIn }: WalletsProps) {
  const box = useRef<HTMLDivElement>(null)
  const group = useRef<StripeElements>(undefined)
  const [has, setHas] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const { mode, amountMinor } = offer
  const known = useEffectEvent((some: boolean) => {
    setHas(some)
    onKnown(some)
  })
  const pressed = useEffectEvent(() => {
    setRefusal(blocked)
    if (blocked) announce(blocked, 'assertive')
    return blocked ? undefined : { person: visitor }
  })
  const approved = useEffectEvent(async (given: Approved) => {
    const elements = group.current!
    const person = visitor ? personOf(given, country) : undefined
    const submitted = person === null ? { error: true } : await elements.submit()
    const problem = submitted.error ? UNREADABLE : await pay({ elements, person: person ?? undefined })
    if (problem === undefined) return
    given.paymentFailed({ reason: 'fail' })
    announce(problem, 'assertive')
    setRefusal(problem)
  })
  useEffect(() => {
    const elements = stripe.elements(groupOptions(mode, amountMinor))
    group.current = elements
    const theme = isDark() ? 'white' : 'black'
    const element = elements.create('expressCheckout', {
      buttonHeight: 48,
      buttonTheme: { applePay: theme, googlePay: theme },
      layout: { maxColumns: 3, maxRows: 2, overflow: 'never' },
      paymentMethods: { amazonPay: 'never', klarna: 'never', paypal: 'never' },
    })
    element.on('ready', ({ availablePaymentMethods }) => known(availablePaymentMethods !== undefined))
    element.on('loaderror', () => known(false))
    element.on('click', ({ resolve, reject }) => {
      const press = pressed()
      if (press)
        resolve({
          business: { name: shop().name },
          emailRequired: press.person,
          billingAddressRequired: press.person,
        })
      else reject()
    })
    element.on('confirm', (event) => void approved(event))
    if (box.current) element.mount(box.current)
    return () => element.destroy()
    // The sum is updated below: another element would lose an open sheet.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [stripe, mode])
  useEffect(() => {
    if (mode !== 'setup') void group.current?.update({ amount: amountMinor })
  }, [mode, amountMinor])
  return (
    <section aria-label="Pay with a wallet" className={styles.wallets}>
      <div ref={box} />
      {has && (
        <>
          {refusal && (
            <div role="alert" className={styles.walletRefusal}>
              <p>{refusal}</p>
              {refusal === EMAIL_TAKEN && (
                <Button look="quiet" onClick={onLogIn}>
                  Log in
                </Button>
              )}
            </div>
          )}
          <p className={styles.consent}>{offer.consent}</p>
          <p className={styles.or}>Or pay another way</p>
        </>
      )}
    </section>
  )
}

const UNREADABLE = 'Your wallet didn’t tell us your name and email. Please use the form below.'

function isDark(): boolean {
  const scheme = readScheme()
  return scheme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : scheme === 'dark'
}

/** With the ways to pay of the server's payments: the provider refuses others. */
function groupOptions(mode: WalletOffer['mode'], amount: number): StripeElementsOptionsMode {
  const shared = { currency: 'gbp', locale: 'en-GB' as const, allowedPaymentMethodTypes: ['card', 'paypal'] }
  return mode === 'setup' ? { ...shared, mode } : { ...shared, mode, amount }
}

interface Approved {
  readonly billingDetails?: {
    readonly name: string
    readonly email?: string
    readonly address?: { readonly country: string }
  }
  readonly paymentFailed: (why: { reason: 'fail' }) => void
}

/** Wallets know a name in one piece; a word of one letter is no name for us. Null without an email or a name. */
export function personOf(
  { billingDetails }: Pick<Approved, 'billingDetails'>,
  country: string,
): Giver | null {
  const { name = '', email = '', address } = billingDetails ?? {}
  const words = name.trim().split(/\s+/)
  const whole = words.join(' ')
  if (whole.length < 2 || email === '') return null
  const [first, last] = [words.slice(0, -1).join(' '), words.at(-1) ?? '']
  const names =
    first.length > 1 && last.length > 1 ? { firstName: first, lastName: last } : { firstName: whole }
  return { email, ...names, countryCode: address?.country || country }
}
