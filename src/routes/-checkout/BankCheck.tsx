import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { confirmationOf } from '#features/checkout/addresses.ts'
import { outcomeOf } from '#features/checkout/queries.ts'
import { confirmStored, useStripe } from '#features/checkout/stripe.ts'
import { forgetPayment, pendingPayment } from '#features/checkout/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './checkout.module.css'

/** The bank wants an authentication for a payment with a saved card: its dialog opens at once. */
export function BankCheck({ back }: { back: string }) {
  const navigate = useNavigate()
  const { stripe, failed, retry } = useStripe()
  const isAsked = useRef(false)
  const ask = useEffectEvent(async () => {
    const pending = pendingPayment()
    if (!stripe || !pending || isAsked.current) return
    isAsked.current = true
    const said = await confirmStored(stripe, pending.secret).catch(() => 'failed' as const)
    // A failed answer proves nothing: only the server knows.
    const outcome = said === 'done' ? 'paid' : await outcomeOf(pending.secret).catch(() => 'checking')
    if (outcome === 'paid' || outcome === 'checking') {
      await navigate({ ...confirmationOf(pending), replace: true })
      return
    }
    forgetPayment()
    toast('Your bank couldn’t confirm that it was you. Nothing has been charged.')
    await navigate({ href: back, replace: true })
  })
  useEffect(() => {
    if (stripe) void ask()
  }, [stripe])
  const leave = useEffectEvent(() => void navigate({ href: back, replace: true }))
  useEffect(() => {
    if (!pendingPayment()) leave()
  }, [])
  return (
    <Wrap className={styles.checkout}>
      <PageHead title="Checkout" hidden />
      <Display as="h1" size="lg">
        Your bank wants to be sure it’s you
      </Display>
      {failed ? (
        <div className={styles.unreachable} role="alert">
          <p>Our card provider can’t be reached. Nothing has been charged.</p>
          <Button look="quiet" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : (
        <p role="status">We’re opening your bank’s question.</p>
      )}
    </Wrap>
  )
}
