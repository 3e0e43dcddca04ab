import { useRouterState } from '@tanstack/react-router'
import type { PaymentOutcome, PaymentRefusal } from '#contract/checkout.ts'
import { hasProof, type problemState, type ReturnProof } from '#features/checkout/addresses.ts'
import { intentOf } from '#features/checkout/pay.ts'
import type { Purchase } from '#features/checkout/purchase.ts'
import { askPayment } from '#features/checkout/queries.ts'
import { usePayment } from '#features/checkout/wait-for-payment.ts'
import { NetProblem } from '#net/problem.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { MembersOnly } from '#routes/-account/MembersOnly.tsx'
import { Outcome } from '#routes/-layout/Outcome.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { forgetBag } from '#features/bag/queries.ts'

/** The page for a failed payment: its outcome, and a link to try again (OP-02, PAY-28). */
export function PaymentProblem({ proof }: { proof: ReturnProof }) {
  const kept = useRouterState({ select: ({ location }) => location.state.secret })
  const { payment_intent: intent = '', payment_intent_client_secret: secret = '' } = proof
  // Logged out: the secret proves this one payment, so show its outcome and nothing else (ROLE-22).
  if (hasProof(proof)) return <WhatBecameOfIt intent={intent} secret={secret} />
  return (
    <MembersOnly>{kept ? <WhatBecameOfIt intent={intentOf(kept)} secret={kept} /> : <NotPaid />}</MembersOnly>
  )
}

type Answer = {
  readonly outcome: PaymentOutcome | 'none' | 'unknown'
  readonly refusal?: PaymentRefusal
  readonly subscription?: string | null
}

/** `none`: no such payment. `unknown`: the outcome couldn't be fetched. */
const answerTo = (intent: string, secret: string): Promise<Answer> =>
  askPayment(intent, secret).catch((problem: unknown) => {
    const isRefused = problem instanceof NetProblem && problem.kind === 'refused'
    return { outcome: isRefused ? 'none' : 'unknown' }
  })

function WhatBecameOfIt({ intent, secret }: { intent: string; secret: string }) {
  const { outcome: answer, askAgain } = usePayment(['problem', secret], () => answerTo(intent, secret))
  if (answer === undefined)
    return <Outcome name="Payment" title="Checking your payment" words="One moment." waiting />
  if (answer.outcome === 'paid') return answer.subscription ? <MemberAfterAll /> : <Paid />
  if (answer.outcome === 'unknown') return <NobodyKnows onAskAgain={askAgain} />
  if (answer.outcome === 'checking')
    return (
      <Outcome
        name="Payment"
        title="Your bank is still checking your payment."
        words="You don’t need to do anything, and you won’t be charged twice."
        ways={
          <Button look="beak" onClick={askAgain}>
            Check again
          </Button>
        }
      />
    )
  return answer.outcome === 'none' ? <NotPaid /> : <NotPaid nothingCharged why={answer.refusal} />
}

function Paid() {
  const signedIn = useSession((state) => state.status === 'user')
  return (
    <Outcome
      name="Payment"
      title="Your payment went through."
      words="Your books are in your library."
      ways={
        <LinkButton to={signedIn ? '/library' : '/login'} look="beak">
          {signedIn ? 'Go to your library' : 'Log in'}
        </LinkButton>
      }
    />
  )
}

const MemberAfterAll = () => (
  <Outcome
    name="Payment"
    title="Your payment went through."
    words="You’re a member."
    ways={
      <LinkButton to="/subscription-details" look="beak">
        Your membership
      </LinkButton>
    }
  />
)

/** ERR-18, OP-47: shown after the server reported the payment as unpaid; the purchase is unchanged. */
export const PayPalProblem = ({ of }: Pick<NotPaidProps, 'of'>) => (
  <NotPaid
    name="PayPal problem"
    title="Oops, looks like there was a problem with Paypal."
    nothingCharged
    of={of}
  />
)

/** The outcome is unknown, so we claim neither. */
export const NobodyKnows = ({
  onAskAgain,
  back = BAG,
}: {
  onAskAgain: () => void
  back?: Purchase['back'] | undefined
}) => {
  const online = useOnline()
  return (
    <Outcome
      name="Payment"
      title="We don’t know yet whether your payment went through."
      words={`${online ? 'We can’t find out just now. Wait a minute' : 'Check your connection'}, then check again. You won’t be charged twice.`}
      ways={
        <>
          <Button look="beak" onClick={onAskAgain}>
            Check again
          </Button>
          <LinkButton to={back.to} look="text">
            {back.words}
          </LinkButton>
        </>
      }
    />
  )
}

const BAG: Purchase['back'] = { to: '/shopping-bag', words: 'Back to your bag' }

const WHY: Record<PaymentRefusal, string> = {
  declined: 'Your bank declined the payment.',
  insufficient_funds: 'There isn’t enough money on this card.',
  expired_card: 'This card has expired.',
  wrong_cvc: 'The card’s security code (CVC) wasn’t right.',
  not_authenticated: 'Your bank couldn’t confirm that it was you.',
  not_approved: 'The payment wasn’t approved at PayPal.',
}

interface NotPaidProps {
  name?: string
  title?: string
  /** The server confirmed that nothing was charged. */
  nothingCharged?: boolean
  why?: PaymentRefusal | undefined
  /** What was being paid for, if the return URL from PayPal doesn't say. */
  of?: ReturnType<typeof problemState> | undefined
}

const NotPaid = ({
  name = 'Payment problem',
  title = 'Oops, looks like there was a problem with your payment.',
  nothingCharged = false,
  why,
  of,
}: NotPaidProps) => (
  <Outcome
    name={name}
    title={title}
    words={[
      why && WHY[why],
      nothingCharged && 'Nothing has been charged.',
      'Please try again or another card.',
    ]
      .filter(Boolean)
      .join(' ')}
    ways={<TryAgain of={of} />}
  />
)

/** Links to the same checkout again: for the plan, the new card or the bag (OP-02). */
function TryAgain({ of }: Pick<NotPaidProps, 'of'>) {
  const fromState = useRouterState({ select: ({ location }) => location.state })
  const { plan, trial, gift, newCardOf, joins } = of ?? fromState
  if (newCardOf)
    return (
      <>
        <LinkButton to="/payment" search={{ 'update-card': 1, subscription: newCardOf }} look="beak">
          Try again
        </LinkButton>
        <LinkButton to="/subscription-details" look="text">
          Back to your membership
        </LinkButton>
      </>
    )
  if (plan || trial)
    return (
      <>
        <LinkButton
          {...(plan ? { to: '/payment', search: { plan, ...(gift && { gift }) } } : { to: '/free-trial' })}
          look="beak"
        >
          Try again
        </LinkButton>
        {gift ? (
          <LinkButton
            to={gift === 'xmas' ? '/xmas' : '/gift'}
            search={plan ? { plan: String(plan) } : {}}
            look="text"
          >
            Back to the gift
          </LinkButton>
        ) : (
          <LinkButton to="/subscription/{-$token}" look="text">
            See the plans
          </LinkButton>
        )}
      </>
    )
  if (of)
    return (
      <LinkButton to="/subscription/{-$token}" look="beak">
        See the plans
      </LinkButton>
    )
  return (
    <>
      <LinkButton to="/payment" search={joins ? { join: 1 } : {}} look="beak">
        Try again
      </LinkButton>
      <LinkButton to="/shopping-bag" look="text">
        Back to your bag
      </LinkButton>
    </>
  )
}

/** The order did not arrive in time (ORDER-02, ORDER-03). It will still arrive if it was paid. */
export function OrderProblem() {
  const queryClient = useQueryClient()
  // The discount belonged to that order (ORDER-12).
  useEffect(() => forgetBag(queryClient), [queryClient])
  return (
    <Outcome
      name="Order problem"
      title="Oops, looks like there was a problem with order confirmation"
      words="If you’ve paid, your books will be in your library as soon as we hear from your bank, and we’ll email you. There’s no need to pay again."
      ways={
        <>
          <LinkButton to="/library" look="beak">
            Go to your library
          </LinkButton>
          <LinkButton to="/faq" look="quiet">
            Questions and answers
          </LinkButton>
          <LinkButton to="/info/$slug" params={{ slug: 'support' }} look="text">
            Ask for help
          </LinkButton>
        </>
      }
    />
  )
}
