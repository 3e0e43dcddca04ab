import type { QueryClient } from '@tanstack/react-query'
import { heardBag, heldBag } from '#features/bag/queries.ts'
import type { DiscountedBag } from '#features/discounts/store.ts'

/** The bag, as the discount feature needs it. */
export const discountedBag = (queryClient: QueryClient): DiscountedBag => ({
  cartId: () => heldBag(queryClient)?.uuid ?? null,
  heard: (cart) => heardBag(queryClient, cart),
})
