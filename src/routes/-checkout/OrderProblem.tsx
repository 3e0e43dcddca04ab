import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { forgetBag } from '#features/bag/queries.ts'
import { LinkButton } from '#ui/Button.tsx'
import { Outcome } from '../-layout/Outcome.tsx'

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
