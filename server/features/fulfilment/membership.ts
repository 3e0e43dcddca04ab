import type { Product } from '../products/product.ts'

/** A membership. The provider's invoices sell it (`membership/invoice-orders.ts`), so the checkout refuses it. */
export const membership: Product<'membership'> = {
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async () => ({ refused: 'elsewhere' }),
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: async () => undefined,
}
