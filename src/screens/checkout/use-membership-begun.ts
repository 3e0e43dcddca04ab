import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Subscription } from '#contract/membership.ts'
import { askMembershipPayment } from '#features/checkout/calls.ts'
import { forgetDraft } from '#features/checkout/draft.ts'
import { forgetPayment, pendingPayment } from '#features/checkout/pending.ts'
import { call } from '#net/call.ts'
import { reloadUser } from '#session/changes.ts'
import { currentSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { ASK_EVERY_MS } from './confirmation.ts'
import { problemState } from './membership-paid.ts'
import type { ReturnProof } from './payment-return.ts'

export type Begun =
  | { readonly is: 'membership'; readonly membership: Subscription }
  /** The card or PayPal account had the free trial before: nothing has begun. */
  | { readonly is: 'trial-used' }
  | { readonly is: 'paypal-problem' }

/**
 * Waits for a membership to begin: asks what became of the payment, or of the card that was kept, which settles it, then for
 * the membership itself. An answer that does not come is asked for again, like one that says nothing yet.
 */
export function useMembershipBegun(proof: ReturnProof): Begun | undefined {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [begun, setBegun] = useState<Begun>()
  const proven = proof.setup_intent_client_secret ?? proof.payment_intent_client_secret
  const hint = proof.redirect_status
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const pending = pendingPayment()
    const { secret: told } = router.state.location.state
    const secret = proven ?? told ?? (pending?.membership ? pending.secret : undefined)

    const end = (found: Begun) => {
      forgetPayment()
      if (found.is === 'membership') {
        forgetDraft()
        announce('Your membership has begun.', 'assertive')
        void reloadUser().catch(() => undefined)
        const owner = currentSession().owner?.uuid
        if (owner) void queryClient.invalidateQueries({ queryKey: ['own', owner] })
      }
      setBegun(found)
    }
    const ask = async (): Promise<Begun | 'refused' | undefined> => {
      if (secret) {
        const { outcome, trialUsed } = await askMembershipPayment(secret)
        if (trialUsed) return { is: 'trial-used' }
        if (outcome === 'checking') return undefined
        // Nobody decided yet, or the shop has not heard of it: asked again, unless PayPal sent the buyer back without it.
        if (outcome === 'open' && (proven === undefined || hint === 'succeeded')) return undefined
        if (outcome !== 'paid') return proven ? { is: 'paypal-problem' } : 'refused'
      }
      const membership = await call('GET /api/get-current-subscription', { background: true })
      return membership ? { is: 'membership', membership } : undefined
    }
    const go = async () => {
      const found = await ask().catch(() => undefined)
      if (over) return
      if (found === undefined) timer = setTimeout(() => void go(), ASK_EVERY_MS)
      else if (found !== 'refused') end(found)
      else {
        forgetPayment()
        await router.navigate({
          to: '/payment-problem',
          state: problemState(secret ?? null, pending?.membership),
          replace: true,
        })
      }
    }
    void go()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [proven, hint, queryClient, router])
  return begun
}
