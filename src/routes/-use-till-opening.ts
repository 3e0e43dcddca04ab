import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { bagQuery, heldBag } from '#features/bag/queries.ts'
import { bagHolder } from '#features/bag/store.ts'
import { outcomeOf } from '#features/checkout/calls.ts'
import { forgetPayment, pendingPayment } from '#features/checkout/pending.ts'
import { forgetCode, removeCode } from '#features/discounts/store.ts'
import { useSession } from '#session/store.ts'
import { discountedBag } from './-discounted-bag.ts'

/**
 * What happens once when the till opens, before it shows anything: a payment of this tab that went through leads to
 * its order instead of being asked for again (trap 26), and an earlier discount is taken off (DISC-04).
 */
export function useTillOpening(): boolean {
  const queryClient = useQueryClient()
  const router = useRouter()
  const ready = useSession((state) => state.ready)
  const begun = useRef(false)
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    if (!ready || begun.current) return
    begun.current = true
    const open = async () => {
      const pending = pendingPayment()
      if (pending) {
        const outcome = await outcomeOf(pending.secret).catch(() => 'open' as const)
        if (outcome === 'paid' || outcome === 'checking') {
          const { order, secret, newUser } = pending
          await router.navigate({
            to: '/payment-successful',
            state: { order, secret, newUser },
            replace: true,
          })
          return
        }
        forgetPayment()
      }
      forgetCode()
      const holder = bagHolder()
      if (holder.kind !== 'nobody') {
        await queryClient.fetchQuery(bagQuery(holder)).catch(() => undefined)
        if (heldBag(queryClient)?.discount) await removeCode(discountedBag(queryClient))
      }
      setOpened(true)
    }
    void open()
  }, [ready, queryClient, router])
  useEffect(() => {
    // Back from PayPal may show this page as it was left, waiting for ever: it looks again instead.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload()
    }
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  return opened
}
