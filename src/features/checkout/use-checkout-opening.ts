import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { bagQuery, currentBag } from '#features/bag/queries.ts'
import { bagHolder } from '#features/bag/store.ts'
import { applyCode, codeProblemMessage, removeCode } from '#features/discounts/codes.ts'
import { EVERYONES_OWN } from '#features/query-keys.ts'
import { NetProblem } from '#net/problem.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { confirmationOf } from './addresses.ts'
import { outcomeOf, paymentSettingsQuery } from './queries.ts'
import { forgetPayment, giveUpPayment, pendingPayment, takeCode } from './store.ts'

export interface CheckoutOpening {
  /**
   * `silent`: the outcome of this tab's last payment is unknown, so the checkout stays closed until it is
   * known.
   */
  readonly is: 'opening' | 'silent' | 'open'
  /** The code of a failed order, if it can no longer be used, and the reason. */
  readonly lostCode?: { readonly code: string; readonly why: string }
}

type Open = (queryClient: QueryClient) => Promise<CheckoutOpening['lostCode']>

/**
 * Runs once before the checkout shows anything. If a payment of this tab succeeded, leads to its order
 * instead of charging again (trap 26). Then prepares the purchase with `open`, which must be a stable
 * function.
 */
export function useCheckoutOpening(
  open: Open = openBag,
): CheckoutOpening & { readonly askAgain: () => void } {
  const router = useRouter()
  const ready = useSession((state) => state.ready)
  const id = useId()
  const { data, isFetching, refetch } = useQuery<CheckoutOpening>({
    queryKey: ['checkout-opening', id],
    queryFn: async ({ client, signal }) => {
      const pending = pendingPayment()
      if (pending) {
        const outcome = await outcomeOf(pending.secret).catch(noAnswer)
        if (signal.aborted || outcome === 'unknown') return { is: 'silent' }
        if (outcome === 'paid' || outcome === 'checking') {
          if (pending.membership?.kind === 'card') await cardKept(client)
          if (!signal.aborted) await router.navigate({ ...confirmationOf(pending), replace: true })
          return { is: 'opening' }
        }
        giveUpPayment()
      }
      const [lostCode] = await Promise.all([
        open(client),
        // Load these settings first: the form depends on them, and would shift if they arrived later.
        client.ensureQueryData(paymentSettingsQuery()).catch(() => undefined),
      ])
      return { is: 'open', ...(lostCode ? { lostCode } : {}) }
    },
    enabled: ready,
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  useEffect(() => {
    // The Back button from PayPal can restore this page from the bfcache, still waiting; reload it instead.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload()
    }
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  const opening = data && !isFetching ? data : OPENING
  return { ...opening, askAgain: () => void refetch() }
}

const OPENING: CheckoutOpening = { is: 'opening' }

/**
 * The buyer left the page during the bank's check. The server now knows the new card, so the payment is
 * complete.
 */
async function cardKept(queryClient: QueryClient): Promise<void> {
  forgetPayment()
  await reloadUser().catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey: EVERYONES_OWN })
}

/** A 404 means that the payment never existed. */
const noAnswer = (problem: unknown): 'none' | 'unknown' =>
  problem instanceof NetProblem && problem.status === 404 ? 'none' : 'unknown'

/**
 * Reapplies the code stored with the bag or carried over from a failed payment, or says that it has expired
 * (DISC-04).
 */
async function openBag(queryClient: QueryClient): Promise<CheckoutOpening['lostCode']> {
  const code = takeCode()
  const holder = bagHolder()
  if (holder.kind === 'nobody') return undefined
  await queryClient.fetchQuery(bagQuery(holder)).catch(() => undefined)
  const cart = currentBag(queryClient)
  if (!cart || cart.itemCount === 0) return undefined
  if (!code && cart.discountMessage) {
    const why = cart.discountMessage
    await removeCode(queryClient).catch(() => undefined)
    return { code: '', why }
  }
  if (!code || cart.discount?.discount_code === code) return undefined
  try {
    await applyCode(queryClient, code)
    return undefined
  } catch (problem) {
    return { code, why: codeProblemMessage(problem) }
  }
}
