import type { QueryClient } from '@tanstack/react-query'
import { heardBag, heldBag } from '#features/bag/queries.ts'
import type { DiscountedBag } from '#features/discounts/store.ts'

/** How the code box and the lines of a screen speak to the bag of this page. */
export const discountedBag = (queryClient: QueryClient): DiscountedBag => ({
  cartId: () => heldBag(queryClient)?.uuid ?? null,
  heard: (cart) => heardBag(queryClient, cart),
})
