import type { Selling } from './selling.ts'

/** A membership. Invoices sell it (`features/billing`), and note what they brought; the checkout refuses it. */
export const membership: Selling<'membership'> = {
  deliveredColumn: 'subscriptionId',
  columns: ({ plan }) => ({ plan }),
  read: ({ plan }) => ({ kind: 'membership', plan: plan! }),
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async () => ({ refused: 'elsewhere' }),
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: async () => undefined,
  books: () => [],
  view: ({ plan }, deliveredId) => ({
    audioBook: null,
    eBook: null,
    subscription: deliveredId === null ? null : { id: deliveredId, plan },
  }),
}
