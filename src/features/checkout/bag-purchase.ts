import type { QueryClient } from '@tanstack/react-query'
import type { Cart } from '#contract/bag.ts'
import { isUpdated } from '#features/bag/mutations.ts'
import { bagQuery, currentBag, reloadBag } from '#features/bag/queries.ts'
import { bagHolder, dropCart, guestCart } from '#features/bag/store.ts'
import { checkoutCart, registerAtCheckout } from './queries.ts'
import { isFree } from './pay.ts'
import { storeCode } from './store.ts'
import type { Purchase } from './purchase.ts'
import { amount, toMinor } from '#format/money.ts'
import { openSession } from '#session/log-in.ts'
import { currentSession } from '#session/store.ts'

const OWN_WAIVER = 'I want my books at once. I know that I can’t cancel once they are in my library.'

/** The waivers the buyer agrees to: one sentence for their own books and one for gifts. */
function waiverOf({ items }: Pick<Cart, 'items'>): string {
  const gifts = items.filter(({ gift }) => gift).length
  const ofGifts =
    gifts === 1
      ? 'Send my gift at once. I know that I can take it back within 14 days, but not once it’s been opened.'
      : 'Send my gifts at once. I know that I can take each back within 14 days, but not once it’s been opened.'
  const sentences = [gifts < items.length && OWN_WAIVER, gifts > 0 && ofGifts]
  return sentences.filter(Boolean).join(' ')
}

export function bagPurchase(queryClient: QueryClient, cart: Cart, blocked: string | undefined): Purchase {
  const totalMinor = toMinor(cart.sumCheckedForPayment)
  const free = isFree(totalMinor, cart.itemCount)
  const code = cart.discount?.discount_code ?? null
  const uuid = () => currentBag(queryClient)?.uuid ?? cart.uuid
  return {
    methods: free ? [] : ['card', 'paypal'],
    waiver: free ? undefined : waiverOf(cart),
    label: free ? 'Complete free order' : 'Pay now',
    charge: free ? 'There is nothing to pay.' : `${amount(totalMinor)} including VAT.`,
    blocked,
    code,
    back: { to: '/shopping-bag', words: 'Back to your bag' },
    isUpdated: () => isUpdated(uuid()),
    async register(account) {
      const guest = guestCart() ?? cart.uuid
      const pair = await registerAtCheckout(guest, account)
      // The server has moved the bag to the account, so it no longer needs to be merged.
      dropCart(guest)
      await openSession(pair)
      await queryClient.fetchQuery(bagQuery(bagHolder()))
    },
    checkout: ({ waiver }) =>
      checkoutCart(uuid(), { couponCode: code, amount: cart.sumCheckedForPayment, waiver }),
    refresh: () => reloadBag(queryClient),
    unpaid() {
      if (code) storeCode(code)
      // The account's own bag stays as it is (PAY-28).
      const guest = guestCart()
      if (guest && currentSession().status === 'user') dropCart(guest)
    },
  }
}
