import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '#contract/account.ts'
import type { BuyNow as Bought } from '#contract/buy-now.ts'
import { BUY_NOW_CONSENT, buyNowConsent } from '#contract/messages-checkout.ts'
import type { Cart } from '#contract/bag.ts'
import type { BookCard } from '#contract/catalogue.ts'
import type { PaymentRefusal } from '#contract/checkout.ts'
import { cardName } from '#features/account/saved-cards.ts'
import styles from '#features/bag/bag.module.css'
import { ownAndGifts } from '#features/bag/model.ts'
import { addToBag, priceFor } from '#features/bag/mutations.ts'
import { reloadBag } from '#features/bag/queries.ts'
import { pathOf } from '#features/catalogue/model.ts'
import { ownKey } from '#features/query-keys.ts'
import { amount, price, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { useOnline } from '#net/use-online.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { wait } from '#storage/wait.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Refused, refusalMessage, useWrite } from '#writes/use-write.ts'
import { cx } from '#ui/cx.ts'
import { confirmationOf } from './addresses.ts'
import { outcomeOf } from './queries.ts'
import { rememberPayment } from './store.ts'

type Card = NonNullable<User['savedCard']>

/** Buys a title with the saved card in one press. */
export function BuyNow({ book, card }: { book: BookCard; card: Card }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const owner = useSession(({ owner: known }) => known?.uuid ?? '')
  const pounds = priceFor(book)
  const reload = async () => {
    await reloadUser().catch(() => undefined)
    await Promise.all([reloadBag(queryClient), queryClient.invalidateQueries({ queryKey: ownKey(owner) })])
  }
  return (
    <Press
      words={`Buy now, ${price(toMinor(pounds))}`}
      card={card}
      consent={BUY_NOW_CONSENT}
      back={pathOf(book)}
      tone="title"
      pay={(press) =>
        call('POST /api/buy_now', {
          body: {
            format: book.entityType === 'audioBook' ? 'audio_book' : 'e_book',
            slug: book.slug,
            amount: pounds,
            ...press,
          },
        })
      }
      onPaid={() => {
        announce(`${book.title} is yours.`, 'assertive')
        return reload()
      }}
      reload={reload}
      another={async () => {
        await addToBag(queryClient, book)
        await navigate({ to: '/payment' })
      }}
    />
  )
}

export interface BuyBagNowProps {
  cart: Cart
  card: Card
  /** Why the bag can't be paid yet. */
  reason: string | undefined
}

/** Pays for the bag with the saved card in one press. */
export function BuyBagNow({ cart, card, reason }: BuyBagNowProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const reload = async () => {
    await reloadUser().catch(() => undefined)
    await reloadBag(queryClient)
  }
  return (
    <Press
      words={`Pay now, ${amount(toMinor(cart.sumCheckedForPayment))}`}
      card={card}
      consent={buyNowConsent(ownAndGifts(cart))}
      back="/shopping-bag"
      reason={reason}
      pay={(press) =>
        call('POST /api/carts/{id}/buy_now', {
          params: { id: cart.uuid },
          body: {
            couponCode: cart.discount?.discount_code ?? null,
            amount: cart.sumCheckedForPayment,
            ...press,
          },
        })
      }
      // The bag of this device is emptied there, when the order is shown.
      onPaid={({ order }) => navigate(confirmationOf({ order, secret: null, newUser: false }))}
      reload={reload}
      another={() => navigate({ to: '/payment' })}
    />
  )
}

interface PressProps {
  words: string
  card: Card
  /** The sentence below the button. */
  consent: string
  /** Where the bank's question leads back to, if it isn't answered. */
  back: string
  tone?: 'title'
  reason?: string | undefined
  pay: (press: { paymentMethod: string; consent: string }) => Promise<Bought>
  onPaid: (bought: Bought) => unknown
  /** Called when the price, the card or the library has changed since the button was shown. */
  reload: () => Promise<unknown>
  another: () => Promise<unknown>
}

function Press({ words, card, consent, back, tone, reason, pay, onPaid, reload, another }: PressProps) {
  const navigate = useNavigate()
  const offline = !useOnline()
  const buy = useWrite(async () => outcomeKnown(await pay({ paymentMethod: card.id, consent })), {
    async onSuccess(bought) {
      const { outcome, order, clientSecret } = bought
      if (outcome !== 'authenticate' || !clientSecret) return onPaid(bought)
      rememberPayment({ order, secret: clientSecret, newUser: false })
      return navigate({ to: '/payment', search: { authenticate: back } })
    },
    onFailure: (problem) => (hasChanged(problem) ? reload() : undefined),
    message: (problem) =>
      problem instanceof NetProblem && problem.reason === 'payment_method_invalid'
        ? 'This card can’t be used any more. Nothing has been charged.'
        : unlessUnreachable(problem),
  })
  const elsewhere = useWrite(another, {
    message: (problem) => refusalMessage(problem, (description) => description),
  })
  const refusal = buy.refusal || elsewhere.refusal
  const toned = tone && { tone }
  return (
    <>
      <Button
        look="beak"
        {...toned}
        {...(!tone && { tall: true, block: true })}
        busy={buy.busy}
        disabledReason={offline ? 'Buying needs a connection.' : buy.busy ? undefined : reason}
        onClick={() => void buy.write()}
      >
        {`${words} · ${cardName(card)}`}
      </Button>
      {refusal && (
        <p className={cx(styles.problem, !tone && styles.ofBag)} role="alert">
          {refusal}
        </p>
      )}
      <p className={cx(styles.note, !tone && styles.ofBag)}>
        {consent}{' '}
        <Button look="text" {...toned} busy={elsewhere.busy} onClick={() => void elsewhere.write()}>
          Pay another way
        </Button>
      </p>
    </>
  )
}

const CHECKS = 20
const CHECK_EVERY_MS = 1_500

/** The same press in another tab may still be with the bank. @throws {Refused} if nothing was charged, or for too long */
async function outcomeKnown(bought: Bought): Promise<Bought> {
  let { outcome } = bought
  for (let checks = 0; outcome === 'checking' && bought.clientSecret && checks < CHECKS; checks += 1) {
    await wait(CHECK_EVERY_MS)
    outcome = await outcomeOf(bought.clientSecret).catch(() => 'checking' as const)
  }
  if (outcome === 'paid' || outcome === 'authenticate') return { ...bought, outcome }
  if (outcome === 'checking') throw new Refused(STILL_CHECKED)
  throw new Refused(`${WHY[bought.refusal ?? 'declined']} Nothing has been charged.`)
}

const STILL_CHECKED = 'Your bank is taking its time. We’ll email you as soon as it’s yours.'

const WHY: Readonly<Record<PaymentRefusal, string>> = {
  declined: 'Your bank declined the payment.',
  insufficient_funds: 'There isn’t enough money on this card.',
  expired_card: 'This card has expired.',
  wrong_cvc: 'Your bank declined the payment.',
  not_authenticated: 'Your bank couldn’t confirm that it was you.',
  not_approved: 'Your bank declined the payment.',
}

const hasChanged = (problem: unknown): boolean =>
  problem instanceof NetProblem &&
  ['total_changed', 'payment_method_invalid', 'already_owned'].includes(problem.reason ?? '')

function unlessUnreachable(problem: unknown): string {
  if (problem instanceof NetProblem && problem.reason === 'total_changed')
    return 'The price has changed. Nothing has been charged.'
  if (problem instanceof NetProblem && problem.kind === 'offline')
    return 'Check your connection and try again. You won’t be charged twice.'
  if (problem instanceof NetProblem && problem.description) return problem.description
  return refusalMessage(problem)
}
