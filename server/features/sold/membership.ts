import type { Selling } from './selling.ts'

/** A membership. Invoices sell it (`features/billing`), and note what they brought; the till refuses it. */
export const membership: Selling<'membership'> = {
  broughtIn: 'subscriptionId',
  columns: ({ plan }) => ({ plan }),
  read: ({ plan }) => ({ kind: 'membership', plan: plan! }),
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async () => ({ refused: 'elsewhere' }),
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: async () => undefined,
  books: () => [],
  view: ({ plan }, brought) => ({
    audioBook: null,
    eBook: null,
    subscription: brought === null ? null : { id: brought, plan },
  }),
}
