import type { Stripe } from '@stripe/stripe-js'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import type { Purchase } from '#features/checkout/purchase.ts'
import { isPayingDocument, useStripe } from '#features/checkout/stripe.ts'
import { useCheckoutOpening } from '#features/checkout/use-checkout-opening.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './checkout.module.css'
import { Checkout } from './Checkout.tsx'
import { NobodyKnows } from './PaymentProblem.tsx'

interface MembershipCheckoutProps {
  purchase: Purchase | undefined
  summary: ReactNode
  /** A notice above the form; a function gets Stripe, for a notice with its own payment button. */
  notice?: ReactNode | ((stripe: Stripe | null) => ReactNode)
  onPaying?: (paying: boolean) => void
  /** Offers a log-in (PAY-06). */
  logIn?: boolean
  /** Called once before the form opens; must be a stable function. */
  open?: (queryClient: QueryClient) => Promise<undefined>
  name?: string
}

const nothingToMakeReady = async () => undefined

export function MembershipCheckout(props: MembershipCheckoutProps) {
  const { purchase, summary, notice, onPaying, logIn, open = nothingToMakeReady, name = 'Checkout' } = props
  const opening = useCheckoutOpening(open)
  const provider = useStripe()
  if (opening.is === 'silent') return <NobodyKnows onAskAgain={opening.askAgain} back={purchase?.back} />
  const mayPay = opening.is === 'open' && (isPayingDocument() || provider.failed)
  return (
    <Wrap className={styles.checkout}>
      <PageHead title={name} hidden />
      {purchase && mayPay ? (
        <Checkout
          purchase={purchase}
          provider={provider}
          notice={typeof notice === 'function' ? notice(provider.stripe) : notice}
          summary={summary}
          onPaying={(paying) => onPaying?.(paying)}
          logIn={logIn}
          name={name}
        />
      ) : (
        <>
          <Display as="h1" size="lg">
            {name}
          </Display>
          <div aria-busy="true" />
        </>
      )}
    </Wrap>
  )
}
