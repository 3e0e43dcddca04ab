import { type Billing, openProvider, type Payments } from '#server/integrations/stripe/provider.ts'

const provider = openProvider(undefined)

/** A shop without payment keys: every call throws `NoProvider`. */
export const noPayments: Payments = provider.payments

/** The same, except that a payment made up by a test belongs to no invoice. */
export const noBilling: Billing = {
  ...provider.billing,
  invoices: { ...provider.billing.invoices, paidBy: async () => null },
}
