import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { EVERYONES_OWN } from '#features/query-keys.ts'
import { bagQuery, currentBag } from '#features/bag/queries.ts'
import { bagHolder } from '#features/bag/store.ts'
import { outcomeOf } from './calls.ts'
import { paymentSettingsQuery } from './payment-settings.ts'
import { forgetPayment, giveUpPayment, pendingPayment, takeCode } from './pending.ts'
import { applyCodeAgain, forgetCode, removeCode, showStandingCode } from '#features/discounts/store.ts'
import { NetProblem } from '#net/problem.ts'
import { reloadUser } from '#session/changes.ts'
import { useSession } from '#session/store.ts'
import { confirmationOf } from './after-payment.ts'

export interface CheckoutOpening {
  /** `silent`: nobody could say what became of this tab's last payment, so nothing is sold before that is known. */
  readonly is: 'opening' | 'silent' | 'open'
  /** A code of an order that was not paid, which cannot be used any more, and why. */
  readonly lostCode?: { readonly code: string; readonly why: string }
}

type Open = (queryClient: QueryClient) => Promise<CheckoutOpening['lostCode']>

/**
 * Runs once when the checkout opens, before it shows anything: a payment of this tab that went through leads to its
 * order instead of being asked for again (trap 26). Then what is bought is made ready: `open` stays the same
 * function.
 */
export function useCheckoutOpening(
  open: Open = openBag,
): CheckoutOpening & { readonly askAgain: () => void } {
  const queryClient = useQueryClient()
  const router = useRouter()
  const ready = useSession((state) => state.ready)
  const [opening, setOpening] = useState<CheckoutOpening>({ is: 'opening' })
  const [times, setTimes] = useState(0)

  useEffect(() => {
    if (!ready) return undefined
    let left = false
    const begin = async () => {
      const pending = pendingPayment()
      if (pending) {
        const outcome = await outcomeOf(pending.secret).catch(noAnswer)
        if (left) return
        if (outcome === 'unknown') return setOpening({ is: 'silent' })
        if (outcome === 'paid' || outcome === 'checking') {
          if (pending.membership?.kind === 'card') await cardKept(queryClient)
          if (left) return
          await router.navigate({ ...confirmationOf(pending), replace: true })
          return
        }
        giveUpPayment()
      }
      const [lostCode] = await Promise.all([
        open(queryClient),
        // What the form says and leaves out hangs on them; it would move under a finger that is at it already.
        queryClient.ensureQueryData(paymentSettingsQuery()).catch(() => undefined),
      ])
      if (!left) setOpening({ is: 'open', ...(lostCode ? { lostCode } : {}) })
    }
    void begin()
    return () => {
      left = true
    }
  }, [ready, times, open, queryClient, router])
  useEffect(() => {
    // The Back button from PayPal can restore this page as it was, waiting for ever; reload it instead.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload()
    }
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  const askAgain = () => {
    setOpening({ is: 'opening' })
    setTimes((count) => count + 1)
  }
  return { ...opening, askAgain }
}

/** The page was left while the bank asked: the shop has just been told of the new card, and nothing is left to wait for. */
async function cardKept(queryClient: QueryClient): Promise<void> {
  forgetPayment()
  await reloadUser().catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey: EVERYONES_OWN })
}

/** A payment that the shop does not know never happened. */
const noAnswer = (problem: unknown): 'none' | 'unknown' =>
  problem instanceof NetProblem && problem.status === 404 ? 'none' : 'unknown'

/** Reapplies the code stored with the bag or carried over from a failed payment, or says that it has expired (DISC-04). */
async function openBag(queryClient: QueryClient): Promise<CheckoutOpening['lostCode']> {
  const code = takeCode()
  forgetCode()
  const holder = bagHolder()
  if (holder.kind === 'nobody') return undefined
  await queryClient.fetchQuery(bagQuery(holder)).catch(() => undefined)
  const cart = currentBag(queryClient)
  if (!cart || cart.itemCount === 0) return undefined
  if (!code && cart.discountMessage) {
    const why = cart.discountMessage
    await removeCode(queryClient)
    return { code: '', why }
  }
  if (!code) {
    if (cart.discount) showStandingCode(cart.discount)
    return undefined
  }
  const why = await applyCodeAgain(code, cart.discount, queryClient)
  return why ? { code, why } : undefined
}
