import { useEffect, useEffectEvent } from 'react'
import { call } from '#net/call.ts'
import { useAddressChecker } from './use-address-checker.ts'
import { setWishCheck, useGiftWish } from './wish.ts'

/** Follows the address of a wish: whoever has a membership already is said to (GIFT-05, GIFT-06). */
export function useWishCheck() {
  const checker = useAddressChecker({
    purchased: hasMembership,
    save: async () => undefined,
    tell: setWishCheck,
  })
  const begin = useEffectEvent(() => {
    // Kept from before: whether it still holds is asked again.
    const kept = useGiftWish.getState().email
    if (kept !== '') checker().typed(kept)
  })
  useEffect(() => begin(), [])
  return checker
}

const hasMembership = async (email: string): Promise<boolean> =>
  (await call('POST /api/subscriptions/gift-check', { body: { email }, background: true })).purchased
