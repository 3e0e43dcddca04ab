import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ownKey } from '#features/query-keys.ts'
import type { PaymentOutcome } from '#contract/checkout.ts'
import { forgetDraft } from './draft.ts'
import { forgetPayment, pendingPayment } from './pending.ts'
import { currentSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { ASK_EVERY_MS } from './confirmation.ts'
import { problemState } from './after-payment.ts'
import type { ReturnProof } from './payment-return.ts'

export type PaidFor<Thing> =
  | { readonly is: 'there'; readonly thing: Thing }
  /** The card or PayPal account had the free trial before: nothing has begun. */
  | { readonly is: 'trial-used' }
  | { readonly is: 'paypal-problem' }
  /** No payment led here, and there is nothing to show: somebody typed the address. */
  | { readonly is: 'nothing' }

/** The thing that somebody pays for without a bag. */
export interface Wanted<Thing> {
  readonly ask: (secret: string) => Promise<{ readonly outcome: PaymentOutcome; readonly trialUsed?: true }>
  /** Asked once it is paid, or nothing was left to pay; undefined while it is not there yet. */
  readonly find: () => Promise<Thing | undefined>
  readonly words: string
  /** Other data that changes with it. */
  readonly onThere: () => void
}

/**
 * Waits for what was paid for: asks what became of the payment, or of the card that was kept, which settles it, then for the
 * thing itself. An answer that does not come is asked for again, like one that says nothing yet.
 *
 * @param wanted the same one as long as the page stands
 */
export function usePaidFor<Thing>(proof: ReturnProof, wanted: Wanted<Thing>): PaidFor<Thing> | undefined {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [became, setBecame] = useState<PaidFor<Thing>>()
  const proven = proof.setup_intent_client_secret ?? proof.payment_intent_client_secret
  const hint = proof.redirect_status
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const pending = pendingPayment()
    const { secret: fromState, plan } = router.state.location.state
    const secret = proven ?? fromState ?? (pending?.membership ? pending.secret : undefined)
    const isExpected = secret !== undefined || plan !== undefined

    const end = (found: PaidFor<Thing>) => {
      forgetPayment()
      if (found.is === 'there') {
        forgetDraft()
        announce(wanted.words, 'assertive')
        wanted.onThere()
        const owner = currentSession().owner?.uuid
        if (owner) void queryClient.invalidateQueries({ queryKey: ownKey(owner) })
      }
      setBecame(found)
    }
    const ask = async (): Promise<PaidFor<Thing> | 'refused' | undefined> => {
      if (secret) {
        const { outcome, trialUsed } = await wanted.ask(secret)
        if (trialUsed) return { is: 'trial-used' }
        if (outcome === 'checking') return undefined
        // Nobody decided yet, or the shop has not heard of it: asked again, unless PayPal sent the buyer back without it.
        if (outcome === 'open' && (proven === undefined || hint === 'succeeded')) return undefined
        if (outcome !== 'paid') return proven ? { is: 'paypal-problem' } : 'refused'
      }
      const thing = await wanted.find()
      if (thing !== undefined) return { is: 'there', thing }
      return isExpected ? undefined : { is: 'nothing' }
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
  }, [proven, hint, wanted, queryClient, router])
  return became
}
