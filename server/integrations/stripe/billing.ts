import type { Customers } from './customers.ts'
import type { Invoices } from './invoices.ts'
import { nothingFrom, notConfigured } from './not-configured.ts'
import type { Prices } from './prices.ts'
import type { SetUps } from './set-ups.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Recurring charges; `Payments` has single payments. */
export interface Billing {
  readonly customers: Customers
  readonly prices: Prices
  readonly setUps: SetUps
  readonly subscriptions: Subscriptions
  readonly invoices: Invoices
}

export const noBilling: Billing = {
  customers: {
    create: notConfigured,
    update: notConfigured,
    keep: notConfigured,
    ownerOf: notConfigured,
    erase: notConfigured,
  },
  prices: { find: notConfigured, setUp: notConfigured },
  setUps: { create: notConfigured, retrieve: notConfigured },
  subscriptions: {
    create: notConfigured,
    retrieve: notConfigured,
    list: nothingFrom,
    quoteUpgrade: notConfigured,
    upgrade: notConfigured,
    quoteAtPeriodEnd: notConfigured,
    changeAtPeriodEnd: notConfigured,
    cancelPlannedChange: notConfigured,
    quoteRenewal: notConfigured,
    cancel: notConfigured,
    resume: notConfigured,
    end: notConfigured,
    payWith: notConfigured,
  },
  invoices: {
    retrieve: notConfigured,
    list: nothingFrom,
    paidBy: async () => null,
    pay: notConfigured,
    makeVoid: notConfigured,
    credit: notConfigured,
    creditNotes: notConfigured,
  },
}
