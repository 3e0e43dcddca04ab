import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '#contract/account.ts'
import type { BuyNow as Bought } from '#contract/buy-now.ts'
import { BUY_NOW_CONSENT } from '#contract/messages-checkout.ts'
import type { BookCard } from '#contract/catalogue.ts'
import type { PaymentRefusal } from '#contract/checkout.ts'
import { cardName } from '#features/account/saved-cards.ts'
import styles from '#features/bag/bag.module.css'
import { addToBag, priceFor } from '#features/bag/mutations.ts'
import { reloadBag } from '#features/bag/queries.ts'
import { pathOf } from '#features/catalogue/model.ts'
import { ownKey } from '#features/query-keys.ts'
import { price, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { useOnline } from '#net/use-online.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { wait } from '#storage/wait.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Refused, refusalMessage, useWrite } from '#writes/use-write.ts'
import { outcomeOf } from './queries.ts'
import { rememberPayment } from './store.ts'

interface BuyNowProps {
  book: BookCard
  card: NonNullable<User['savedCard']>
}

/** Buys a title with the saved card in one press. The sentence below the button is the buyer's consent. */
export function BuyNow({ book, card }: BuyNowProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const owner = useSession(({ owner: known }) => known?.uuid ?? '')
  const offline = !useOnline()
  const pounds = priceFor(book)
  const reload = async () => {
    await reloadUser().catch(() => undefined)
    await Promise.all([reloadBag(queryClient), queryClient.invalidateQueries({ queryKey: ownKey(owner) })])
  }
  const buy = useWrite(
    async () => {
      const bought = await call('POST /api/buy_now', {
        body: {
          format: book.entityType === 'audioBook' ? 'audio_book' : 'e_book',
          slug: book.slug,
          amount: pounds,
          paymentMethod: card.id,
          consent: BUY_NOW_CONSENT,
        },
      })
      return outcomeKnown(bought)
    },
    {
      async onSuccess({ outcome, order, clientSecret }) {
        if (outcome === 'authenticate' && clientSecret) {
          rememberPayment({ order, secret: clientSecret, newUser: false })
          return navigate({ to: '/payment', search: { authenticate: pathOf(book) } })
        }
        announce(`${book.title} is yours.`, 'assertive')
        return reload()
      },
      // The price, the card or the library has changed since the button was shown.
      onFailure: (problem) => (hasChanged(problem) ? reload() : undefined),
      message: (problem) =>
        problem instanceof NetProblem && problem.reason === 'payment_method_invalid'
          ? 'This card can’t be used any more. Nothing has been charged.'
          : unlessUnreachable(problem),
    },
  )
  const another = useWrite(
    async () => {
      await addToBag(queryClient, book)
      await navigate({ to: '/payment' })
    },
    { message: (problem) => refusalMessage(problem, (description) => description) },
  )
  const refusal = buy.refusal || another.refusal
  return (
    <>
      <Button
        look="beak"
        tone="title"
        busy={buy.busy}
        disabledReason={offline ? 'Buying needs a connection.' : undefined}
        onClick={() => void buy.write()}
      >
        {`Buy now, ${price(toMinor(pounds))} · ${cardName(card)}`}
      </Button>
      {refusal && (
        <p className={styles.problem} role="alert">
          {refusal}
        </p>
      )}
      <p className={styles.note}>
        {BUY_NOW_CONSENT}{' '}
        <Button look="text" tone="title" busy={another.busy} onClick={() => void another.write()}>
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
