import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ownKey } from '#features/query-keys.ts'
import { reloadBag } from '#features/bag/queries.ts'
import { forgetDraft } from './draft.ts'
import { forgetPayment, giveUpPayment, pendingPayment } from './pending.ts'
import { forgetCode } from '#features/discounts/store.ts'
import { listenToFeed } from '#features/feed/listen.ts'
import { askOrder } from '#features/orders/queries.ts'
import { currentSession, useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { ASK_EVERY_MS, askOnce, ORDER_TIMEOUT_MS, type Confirmed, type Waiting } from './confirmation.ts'
import type { ReturnProof } from './payment-return.ts'

/**
 * Waits for an order: hears of it on the live stream (ORDER-01), and also asks for it (ORDER-07). After
 * 30 seconds without one the page leads to where that is explained (ORDER-02), but not after PayPal (ORDER-11).
 */
export function useConfirmation(proof: ReturnProof): Confirmed | undefined {
  const queryClient = useQueryClient()
  const router = useRouter()
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  const [confirmed, setConfirmed] = useState<Confirmed>()
  const { payment_intent_client_secret: proven, redirect_status: hint } = proof

  useEffect(() => {
    if (!ready) return undefined
    const { order, secret } = { ...pendingPayment(), ...router.state.location.state }
    const redirected = proven !== undefined
    const waiting: Waiting = {
      order,
      secret: proven ?? secret,
      redirected,
      hint,
      signedIn: user !== undefined,
    }
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (found: Confirmed) => {
      if (over) return
      over = true
      stop()
      applyConfirmed(queryClient, found)
      setConfirmed(found)
      if (found.is === 'refused')
        void router.navigate({
          to: '/payment-problem',
          state: waiting.secret ? { secret: waiting.secret } : {},
          replace: true,
        })
    }
    const ask = async () => {
      const found = await askOnce(waiting)
      if (found) return end(found)
      if (!over) timer = setTimeout(() => void ask(), ASK_EVERY_MS)
    }
    const checkOutcome = user
      ? listenToFeed(user, (message) => {
          if (message.type !== 'new_order' || (waiting.order && message.uuid !== waiting.order)) return
          askOrder(message.uuid).then(
            (found) => end({ is: 'order', order: found }),
            () => undefined,
          )
        })
      : () => undefined
    const fallback = redirected
      ? undefined
      : setTimeout(() => {
          if (!over) void router.navigate({ to: '/payment-successful-problem', replace: true })
        }, ORDER_TIMEOUT_MS)
    const stop = () => {
      clearTimeout(timer)
      clearTimeout(fallback)
      checkOutcome()
    }
    void ask()
    return () => {
      over = true
      stop()
    }
  }, [ready, user, proven, hint, queryClient, router])
  return confirmed
}

/** A paid order changes these everywhere else: bag, shelf, code, and what this tab kept of the payment. */
function applyConfirmed(queryClient: QueryClient, found: Confirmed): void {
  if (found.is !== 'order' && found.is !== 'paid') return giveUpPayment()
  forgetPayment()
  forgetCode()
  forgetDraft()
  void reloadBag(queryClient)
  const owner = currentSession().owner?.uuid
  // Shelf, orders, and each book's page of this account (ORDER-09).
  if (owner) void queryClient.invalidateQueries({ queryKey: ownKey(owner) })
  announce('Your payment went through.', 'assertive')
}
