import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { NAME_LENGTH } from '#contract/limits.ts'
import type { GivenMembership } from '#contract/membership-gifts.ts'
import type { PlanId } from '#contract/plans.ts'
import { hasProof, problemState, type ReturnProof } from '#features/checkout/addresses.ts'
import { outcomeOf } from '#features/checkout/queries.ts'
import { pendingPayment } from '#features/checkout/store.ts'
import { usePaidFor, type Wanted } from '#features/checkout/wait-for-payment.ts'
import { forgetGiftDraft, giftWish } from '#features/gifts/draft.ts'
import { GiftCard } from '#features/gifts/GiftCard.tsx'
import { givenQuery } from '#features/gifts/given-gifts.ts'
import { PrintCard } from '#features/gifts/PrintCard.tsx'
import { giftTitle, givenPlan } from '#features/gifts/occasions.ts'
import { plans } from '#features/shop-details/plans.ts'
import { isOpen } from '#features/shop-details/shop.ts'
import { weekdayAndDay } from '#format/date.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { MembersOnly } from '../-account/MembersOnly.tsx'
import { Outcome } from '../-layout/Outcome.tsx'
import styles from './checkout.module.css'
import { PayPalProblem } from './PaymentProblem.tsx'
import { Checking, CONFIRM } from './MembershipStarted.tsx'

export interface XmasSearch {
  /** Recipient and plan (PAY-34). Untrusted, because a URL can contain anything: show them only as text. */
  readonly recipient?: string | undefined
  readonly type?: string | undefined
}

interface MembershipGivenProps {
  proof: ReturnProof
  xmas?: XmasSearch
}

/**
 * The confirmation of a gift membership (ORDER-13, ORDER-15). It needs an account (ROLE-24) or the payment's
 * own proof, because a visitor can give without an account.
 */
export function MembershipGiven(props: MembershipGivenProps) {
  const paidHere = useRouterState({ select: ({ location }) => location.state.order !== undefined })
  if (paidHere || hasProof(props.proof)) return <Given {...props} />
  return (
    <MembersOnly>
      <Given {...props} />
    </MembersOnly>
  )
}

/**
 * A gift is sent as soon as it is paid. No secret means that it was free, or that the URL was opened again.
 */
const GIFT: Wanted<true> = {
  name: 'gift',
  ask: async (secret) => ({ outcome: await outcomeOf(secret) }),
  find: async () => true,
  announcement: 'Your payment went through.',
  onThere: forgetGiftDraft,
}

function Given({ proof, xmas }: MembershipGivenProps) {
  const known = useKnown(proof, xmas)
  // Before the paid gift's draft is removed.
  const [wish] = useState(giftWish)
  const occasion = xmas ? 'xmas' : 'gift'
  const visitor = useSession((state) => state.ready && state.status !== 'user')
  const giver = useSession((state) => state.owner?.fullName ?? 'you')
  const became = usePaidFor(proof, GIFT)
  const order = useRouterState({ select: ({ location }) => location.state.order })
  if (became === undefined || known.is === 'waiting') return <Checking />
  if (became.is === 'paypal-problem')
    return (
      <PayPalProblem
        of={problemState(null, { plan: known.tried ?? givenPlan(xmas?.type, occasion), kind: occasion })}
      />
    )
  if (became.is === 'nothing' || known.is === 'nothing')
    return <NoGift recipient={text(xmas?.recipient)} occasion={occasion} />
  const recipient = text(xmas?.recipient) || known.recipient || 'them'
  const plan = Object.values(plans()).find(({ id }) => String(id) === xmas?.type)?.id ?? known.plan
  const what = plan ? giftTitle(plan).join(' ') : 'Your gift'
  return (
    <Wrap className={styles.given}>
      <PageHead title="Thank you" hidden />
      <div>
        <Display as="h1" size="lg">
          {xmas || known.day
            ? `${what} is wrapped for ${recipient}.`
            : `${what} is on its way to ${recipient}.`}
        </Display>
        <p className="lead">
          {[
            xmas || known.day ? arrivalWords(known.day) : `We’ve emailed ${recipient} for you.`,
            'We’ll tell you when it’s claimed.',
            visitor
              ? 'We’ve emailed you a receipt, with a link to change the gift, send it again, or take it back within 14 days.'
              : 'Until then you can correct the address, and within 14 days take it back.',
            known.newUser && CONFIRM,
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
        <div className={styles.ways}>
          {visitor ? (
            <LinkButton to="/sign-up" look="solid" tall>
              Create an account
            </LinkButton>
          ) : (
            <LinkButton to="/gifts" search={{}} look="solid" tall>
              See your gifts
            </LinkButton>
          )}
          {isOpen(xmas ? '/xmas' : '/gift') && (
            <LinkButton to={xmas ? '/xmas' : '/gift'} look="text">
              Give another
            </LinkButton>
          )}
        </div>
      </div>
      {plan && (
        <section aria-label={`What ${recipient} will open`}>
          <GiftCard
            plan={plan}
            occasion={occasion}
            recipient={text(xmas?.recipient) || known.recipient}
            giver={giver}
            message={(known.isPaidHere ? wish.message : known.last?.giftMessage) ?? ''}
          />
          {!visitor && <PrintGiven order={order} last={known.last} />}
        </section>
      )}
    </Wrap>
  )
}

interface PrintGivenProps {
  /** Undefined if the payment wasn't made in this tab; then it is the latest gift. */
  order: string | undefined
  last: GivenMembership | undefined
}

function PrintGiven({ order, last }: PrintGivenProps) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const { data } = useQuery({ ...givenQuery(owner), enabled: owner !== '' && order !== undefined })
  const gift = order === undefined ? last : data?.['hydra:member'].find((each) => each.order === order)
  return gift?.changeable ? <PrintCard gift={gift} /> : null
}

const NoGift = ({ recipient, occasion }: { recipient: string; occasion: 'gift' | 'xmas' }) => (
  <Outcome
    name="Your gift"
    title={recipient ? `A gift for ${recipient}` : 'Your gift'}
    words="We can’t find its payment in this browser. You’ll find every gift you’ve given under Gifts you’ve sent."
    ways={
      <>
        <LinkButton to="/gifts" search={{}} look="beak">
          Gifts you’ve sent
        </LinkButton>
        {isOpen(occasion === 'xmas' ? '/xmas' : '/gift') && (
          <LinkButton to={occasion === 'xmas' ? '/xmas' : '/gift'} look="quiet">
            Give a membership
          </LinkButton>
        )}
      </>
    }
  />
)

const isMeant = (
  { plan, giftRecipientFirstName, giftEmail }: GivenMembership,
  xmas: XmasSearch | undefined,
): boolean =>
  !xmas || (String(plan) === xmas.type && (giftRecipientFirstName || giftEmail) === xmas.recipient)

const arrivalWords = (day: string | undefined) =>
  day === undefined
    ? 'It arrives at 8 a.m. on the day you chose.'
    : `It arrives on ${weekdayAndDay(day)} at 8 a.m.`

const text = (said: string | undefined) => (said ?? '').slice(0, NAME_LENGTH)

/**
 * Reads the gift from the checkout's history state, or from the payment that this tab stored before PayPal;
 * else the account's latest gift that matches the URL.
 */
function useKnown(
  proof: ReturnProof,
  xmas: XmasSearch | undefined,
): {
  is: 'known' | 'waiting' | 'nothing'
  /** Empty if unknown. */
  recipient: string
  isPaidHere: boolean
  last: GivenMembership | undefined
  plan: PlanId | undefined
  tried: PlanId | undefined
  newUser: boolean
  day: string | undefined
} {
  const fromState = useRouterState({ select: ({ location }) => location.state })
  const [kept] = useState(() => pendingPayment())
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const isDescribed = fromState.plan !== undefined || kept?.membership !== undefined
  const { data, isPending } = useQuery({ ...givenQuery(owner), enabled: owner !== '' && !isDescribed })
  const last = data?.['hydra:member'].find((gift) => isMeant(gift, xmas))
  const isPaidHere = isDescribed || fromState.order !== undefined || hasProof(proof)
  const isKnown = isPaidHere || last !== undefined
  return {
    is: isKnown ? 'known' : isPending && owner !== '' ? 'waiting' : 'nothing',
    recipient:
      fromState.recipientName ||
      kept?.membership?.recipient ||
      last?.giftRecipientFirstName ||
      last?.giftEmail ||
      '',
    isPaidHere,
    last,
    tried: fromState.plan ?? kept?.membership?.plan,
    plan: fromState.plan ?? kept?.membership?.plan ?? last?.plan,
    day: fromState.day ?? kept?.membership?.day ?? last?.giftDeliveryDate ?? undefined,
    newUser: fromState.newUser === true || kept?.newUser === true,
  }
}
