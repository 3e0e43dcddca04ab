import type { Selling } from './selling.ts'

/**
 * A membership. Orders of the demo have them; no basket holds one yet, so none is delivered: should one be paid, its
 * money goes back.
 */
export const membership: Selling<'membership'> = {
  broughtIn: 'subscriptionId',
  columns: ({ plan }) => ({ plan }),
  read: ({ plan }) => ({ kind: 'membership', plan: plan! }),
  deliver: async () => null,
  give: async () => undefined,
  hasAlready: async () => false,
  takeBack: async () => undefined,
  view: ({ plan }, brought) => ({
    audioBook: null,
    eBook: null,
    subscription: brought === null ? null : { id: brought, plan },
  }),
}
