import { Navigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { DAY_MS } from '#contract/durations.ts'
import type { Subscription } from '#contract/membership.ts'
import { planInWords } from '#contract/plans.ts'
import { problemState, type ReturnProof } from '#features/checkout/addresses.ts'
import { intentOf } from '#features/checkout/pay.ts'
import { askPayment } from '#features/checkout/queries.ts'
import { pendingPayment } from '#features/checkout/store.ts'
import { usePaidFor, type Wanted } from '#features/checkout/use-payment.ts'
import { rhythmOf } from '#features/membership/model.ts'
import { freeAudiobooks, plans, trial as theTrial } from '#features/shop-details/plans.ts'
import { has } from '#features/shop-details/shop.ts'
import { longDate } from '#format/date.ts'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { call } from '#net/call.ts'
import { reloadUser } from '#session/session.ts'
import { LinkButton } from '#ui/Button.tsx'
import { useNow } from '#ui/use-now.ts'
import { MembersOnly } from '../-account/MembersOnly.tsx'
import { Outcome } from '../-layout/Outcome.tsx'
import { PayPalProblem } from './PaymentProblem.tsx'

interface MembershipBegunProps {
  proof: ReturnProof
  trial?: boolean
}

/** The confirmation of a new membership (ORDER-05, ORDER-14); it needs an account (ROLE-24). */
export const MembershipBegun = (props: MembershipBegunProps) => (
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

function Waiting({ proof, trial = false }: MembershipBegunProps) {
  const [kept] = useState(() => pendingPayment())
  const begun = usePaidFor(proof, MEMBERSHIP)
  const now = useNow()
  if (begun === undefined)
    return (
      <Outcome
        name="Checking your payment"
        title={trial ? 'Starting your trial' : 'Checking your payment'}
        words="One moment. We’re waiting to hear from your bank. There’s no need to do it again."
        waiting
      />
    )
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
