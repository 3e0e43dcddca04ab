import { useEffect, useState } from 'react'
import type { PaymentOutcome } from '#contract/checkout.ts'
import { askPayment } from '#features/checkout/calls.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { MembersOnly } from './-MembersOnly.tsx'
import { Outcome } from './-Outcome.tsx'
import { hasProof, type ReturnProof } from './-payment-return.ts'

/** A refused payment: nothing was charged, and the bag is where it was (OP-02, PAY-28). */
export function PaymentProblem({ proof }: { proof: ReturnProof }) {
  if (hasProof(proof)) return <ProvenProblem proof={proof} />
  return (
    <MembersOnly>
      <Refused />
    </MembersOnly>
  )
}

const Refused = () => (
  <TryAgain name="Payment problem" title="Oops, looks like there was a problem with your payment." />
)

/** Nothing was taken: back to the till, or to the bag. */
export const TryAgain = ({ name, title }: { name: string; title: string }) => (
  <Outcome
    name={name}
    title={title}
    words="Please try again or another card."
    ways={
      <>
        <LinkButton to="/payment" look="beak">
          Try again
        </LinkButton>
        <LinkButton to="/shopping-bag" look="text">
          Back to your bag
        </LinkButton>
      </>
    }
  />
)

/** In a browser that knows nobody: what became of that one payment, and nothing else (ROLE-22). */
function ProvenProblem({ proof }: { proof: ReturnProof }) {
  const [outcome, setOutcome] = useState<PaymentOutcome>()
  const signedIn = useSession((state) => state.status === 'user')
  const { payment_intent: intent = '', payment_intent_client_secret: secret = '' } = proof
  useEffect(() => {
    let left = false
    askPayment(intent, secret).then(
      (answer) => !left && setOutcome(answer.outcome),
      () => !left && setOutcome('open'),
    )
    return () => {
      left = true
    }
  }, [intent, secret])
  if (outcome === undefined)
    return <Outcome name="Payment" title="Checking your payment" words="One moment." waiting />
  if (outcome === 'paid')
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
  return <Refused />
}
