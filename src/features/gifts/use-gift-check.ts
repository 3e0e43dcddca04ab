import { useEffect, useEffectEvent } from 'react'
import { call } from '#net/call.ts'
import { useAddressChecker } from './use-address-checker.ts'
import { setGiftCheck, useGiftDraft } from './draft.ts'

/** Follows the address of a wish: whoever has a membership already is said to (GIFT-05, GIFT-06). */
export function useGiftCheck() {
  const checker = useAddressChecker({
    purchased: hasMembership,
    save: async () => undefined,
    onChecked: setGiftCheck,
  })
  const begin = useEffectEvent(() => {
    // Kept from before: whether it still holds is asked again.
    const kept = useGiftDraft.getState().email
    if (kept !== '') checker().typed(kept)
  })
  useEffect(() => begin(), [])
  return checker
}

const hasMembership = async (email: string): Promise<boolean> =>
  (await call('POST /api/subscriptions/gift-check', { body: { email }, background: true })).purchased
