import { Navigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { DAY_MS } from '#contract/durations.ts'
import type { Subscription } from '#contract/membership.ts'
import { planInWords, type PlanId } from '#contract/plans.ts'
import { problemState, type ReturnProof, hasProof } from '#features/checkout/addresses.ts'
import { intentOf } from '#features/checkout/pay.ts'
import { askPayment, outcomeOf } from '#features/checkout/queries.ts'
import { pendingPayment } from '#features/checkout/store.ts'
import { usePaidFor, type Wanted } from '#features/checkout/use-payment.ts'
import { rhythmOf } from '#features/membership/model.ts'
import { freeAudiobooks, plans, trial as theTrial } from '#features/shop-details/plans.ts'
import { has, isOpen } from '#features/shop-details/shop.ts'
import { longDate, weekdayAndDay } from '#format/date.ts'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { call } from '#net/call.ts'
import { reloadUser } from '#session/session.ts'
import { LinkButton } from '#ui/Button.tsx'
import { useNow } from '#ui/use-now.ts'
import { MembersOnly } from '../-account/MembersOnly.tsx'
import { Outcome } from '../-layout/Outcome.tsx'
import { PayPalProblem } from './PaymentProblem.tsx'
import { useQuery } from '@tanstack/react-query'
import { NAME_LENGTH } from '#contract/limits.ts'
import type { GivenMembership } from '#contract/membership-gifts.ts'
import { forgetGiftDraft } from '#features/gifts/draft.ts'
import { givenQuery } from '#features/gifts/given.ts'
import { giftTitle, givenPlan } from '#features/gifts/occasions.ts'
import { useSession } from '#session/store.ts'

interface MembershipStartedProps {
  proof: ReturnProof
  trial?: boolean
}

/** The confirmation of a new membership (ORDER-05, ORDER-14); it needs an account (ROLE-24). */
export const MembershipStarted = (props: MembershipStartedProps) => (
  <MembersOnly>
    <Waiting {...props} />
  </MembersOnly>
)

const MEMBERSHIP: Wanted<Subscription> = {
  name: 'membership',
  ask: (secret) => askPayment(intentOf(secret), secret),
  find: async () => (await call('GET /api/get-current-subscription', { background: true })) ?? undefined,
  announcement: 'Your membership has begun.',
  onThere: () => void reloadUser().catch(() => undefined),
}

function Waiting({ proof, trial = false }: MembershipStartedProps) {
  const [kept] = useState(() => pendingPayment())
  const begun = usePaidFor(proof, MEMBERSHIP)
  const now = useNow()
  if (begun === undefined) return <Checking title={trial ? 'Starting your trial' : undefined} />
  if (begun.is === 'paypal-problem')
    return (
      <PayPalProblem
        of={problemState(
          null,
          kept?.membership ?? (trial ? { plan: theTrial().plan, kind: 'trial' } : undefined),
        )}
      />
    )
  if (begun.is === 'trial-used') return <TrialUsed />
  if (begun.is === 'nothing') return <Navigate to="/subscription/{-$token}" replace />
  return trial && begun.thing.status === 'trialing' ? (
    <TrialBegun membership={begun.thing} />
  ) : (
    <Joined membership={begun.thing} isNew={now - Date.parse(begun.thing.orderDate) < DAY_MS} />
  )
}

const Checking = ({ title = 'Checking your payment' }: { title?: string | undefined }) => (
  <Outcome
    name="Checking your payment"
    title={title}
    words="One moment. We’re waiting to hear from your bank. There’s no need to do it again."
    waiting
  />
)

function Joined({ membership, isNew }: { membership: Subscription; isNew: boolean }) {
  const newUser = useRouterState({ select: ({ location }) => location.state.newUser === true })
  const { creditsPerMonth, monthly } = plans()[membership.plan]
  return (
    <Outcome
      name="Welcome"
      title={`You’re a member. ${planInWords(plans()[membership.plan])}, ${isNew ? 'from today' : `since ${longDate(membership.orderDate)}`}.`}
      words={[
        isNew &&
          creditsPerMonth > 0 &&
          `${freeAudiobooks(creditsPerMonth)} ${creditsPerMonth === 1 ? 'is' : 'are'} waiting for you.`,
        membership.payment !== null &&
          `Your membership renews ${monthly ? 'each month' : 'each year'} until you cancel.`,
        newUser && CONFIRM,
      ]
        .filter(Boolean)
        .join(' ')}
      ways={<Ways choose={creditsPerMonth} />}
    />
  )
}

function TrialBegun({ membership }: { membership: Subscription }) {
  const { plan, days } = theTrial()
  const newUser = useRouterState({ select: ({ location }) => location.state.newUser === true })
  return (
    <Outcome
      name="Welcome"
      title={days === 1 ? 'Your day has begun.' : `Your ${days} days have begun.`}
      words={[
        `Your free trial lasts until ${longDate(membership.validUntil ?? membership.periodEnd ?? '')}.`,
        `After that it’s ${amount(plans()[plan].priceMinor)} ${rhythmOf(plan)}, unless you cancel first.${days > 7 ? ' We’ll write 7 and 3 days before.' : days > 3 ? ' We’ll write 3 days before.' : ''}`,
        newUser && CONFIRM,
      ]
        .filter(Boolean)
        .join(' ')}
      ways={<Ways choose={plans()[plan].creditsPerMonth} />}
    />
  )
}

const CONFIRM = 'Your account is ready. Please confirm your email address using the link in our email.'

const HIGHLIGHTS = { to: '/subscriber-selection', search: { page: 1, itemsPerPage: 12 } } as const
const COLLECTION = { to: '/audiobooks' } as const

const Ways = ({ choose }: { choose: number }) => (
  <>
    <LinkButton {...(choose > 0 ? HIGHLIGHTS : COLLECTION)} look="beak">
      {choose === 0 ? 'Browse audiobooks' : `Choose your free audiobook${choose === 1 ? '' : 's'}`}
    </LinkButton>
    <LinkButton to="/subscription-details" look="quiet">
      Your membership
    </LinkButton>
  </>
)

function TrialUsed() {
  const { plan, days } = theTrial()
  return (
    <Outcome
      name="Free trial"
      title="You’ve had the free trial before."
      words={`This card${has('payPal') ? ' or PayPal account' : ''} has already had its ${plural(days, 'day')}. Nothing has been charged. You can join at ${amount(plans()[plan].priceMinor)} ${rhythmOf(plan)} instead.`}
      ways={
        <>
          <LinkButton to="/payment" search={{ plan }} look="beak">
            Join for {amount(plans()[plan].priceMinor)} {rhythmOf(plan)}
          </LinkButton>
          <LinkButton to="/subscription/{-$token}" look="text">
            See the plans
          </LinkButton>
        </>
      }
    />
  )
}

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
  const occasion = xmas ? 'xmas' : 'gift'
  const visitor = useSession((state) => state.ready && state.status !== 'user')
  const became = usePaidFor(proof, GIFT)
  if (became === undefined || known.is === 'waiting') return <Checking />
  if (became.is === 'paypal-problem')
    return (
      <PayPalProblem
        of={problemState(null, { plan: known.tried ?? givenPlan(xmas?.type, occasion), kind: occasion })}
      />
    )
  if (became.is === 'nothing' || known.is === 'nothing')
    return <NoGift recipient={text(xmas?.recipient)} occasion={occasion} />
  const recipient = text(xmas?.recipient) || known.recipient
  const plan = Object.values(plans()).find(({ id }) => String(id) === xmas?.type)?.id ?? known.plan
  const what = plan ? giftTitle(plan).join(' ') : 'Your gift'
  return (
    <Outcome
      name="Thank you"
      title={xmas ? `${what} is wrapped for ${recipient}.` : `${what} is on its way to ${recipient}.`}
      words={[
        xmas ? arrivalWords(known.day) : 'We’ve emailed them for you.',
        'We’ll tell you when it’s claimed.',
        visitor
          ? 'We’ve emailed you a receipt, with a link to change the gift, send it again, or take it back within 14 days.'
          : 'Until then you can correct the address, and within 14 days take it back.',
        known.newUser && CONFIRM,
      ]
        .filter(Boolean)
        .join(' ')}
      ways={
        <>
          {visitor ? (
            <LinkButton to="/sign-up" look="solid">
              Create an account
            </LinkButton>
          ) : (
            <LinkButton to="/gifts" search={{}} look="solid">
              See your gifts
            </LinkButton>
          )}
          {isOpen(xmas ? '/xmas' : '/gift') && (
            <LinkButton to={xmas ? '/xmas' : '/gift'} look="text">
              Give another
            </LinkButton>
          )}
        </>
      }
    />
  )
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
    : `It arrives on ${weekdayAndDay(day)} at 8 in the morning.`

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
  recipient: string
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
  const isKnown = isDescribed || fromState.order !== undefined || hasProof(proof) || last !== undefined
  return {
    is: isKnown ? 'known' : isPending && owner !== '' ? 'waiting' : 'nothing',
    recipient:
      fromState.recipientName ||
      kept?.membership?.recipient ||
      last?.giftRecipientFirstName ||
      last?.giftEmail ||
      'them',
    tried: fromState.plan ?? kept?.membership?.plan,
    plan: fromState.plan ?? kept?.membership?.plan ?? last?.plan,
    day: fromState.day ?? kept?.membership?.day ?? last?.giftDeliveryDate ?? undefined,
    newUser: fromState.newUser === true || kept?.newUser === true,
  }
}
