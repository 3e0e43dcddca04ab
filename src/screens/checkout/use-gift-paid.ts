import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { outcomeOf } from '#features/checkout/calls.ts'
import { forgetDraft } from '#features/checkout/draft.ts'
import { forgetPayment, pendingPayment } from '#features/checkout/pending.ts'
import { forgetWish } from '#features/gifts/wish.ts'
import { currentSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { ASK_EVERY_MS } from './confirmation.ts'
import { problemState } from './membership-paid.ts'
import type { ReturnProof } from './payment-return.ts'

/** What became of a gift's payment: asked of the server, which settles it, until it says. */
export function useGiftPaid(proof: ReturnProof): 'paid' | 'paypal-problem' | undefined {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [became, setBecame] = useState<'paid' | 'paypal-problem'>()
  const { payment_intent_client_secret: proven, redirect_status: hint } = proof
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const pending = pendingPayment()
    const secret = proven ?? router.state.location.state.secret ?? pending?.secret

    const end = (found: 'paid' | 'paypal-problem') => {
      forgetPayment()
      if (found === 'paid') {
        forgetDraft()
        forgetWish()
        announce('Your payment went through.', 'assertive')
        const owner = currentSession().owner?.uuid
        if (owner) void queryClient.invalidateQueries({ queryKey: ['own', owner] })
      }
      setBecame(found)
    }
    const ask = async (): Promise<'paid' | 'paypal-problem' | 'refused' | undefined> => {
      // Nothing was left to pay, or this address is only looked at again.
      if (!secret) return 'paid'
      const outcome = await outcomeOf(secret)
      if (outcome === 'paid' || outcome === 'checking') return outcome === 'paid' ? 'paid' : undefined
      if (outcome === 'open' && (proven === undefined || hint === 'succeeded')) return undefined
      return proven ? 'paypal-problem' : 'refused'
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
  return became
}
