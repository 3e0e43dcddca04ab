import type Stripe from 'stripe'
import type { Client } from './client.ts'
import type { Customers, StoredMethod } from './customers.ts'
import { NotAtProvider } from './problems.ts'
import { idOf } from './response-parsing.ts'

export const stripeCustomers = ({ ask }: Client): Customers => ({
  create: (person, idempotencyKey) =>
    ask(async ({ customers }) => {
      const { id } = await customers.create(person, { idempotencyKey: idempotencyKey })
      return id
    }),
  update: (id, change) =>
    ask(async ({ customers }) => {
      await customers.update(id, change)
    }),
  keep: (id, method) =>
    ask(async ({ paymentMethods }) => (await paymentMethods.attach(method, { customer: id })).id),
  ownerOf: (method) =>
    ask(async ({ paymentMethods }) => idOf((await paymentMethods.retrieve(method)).customer)),
  erase: (id) =>
    ask(({ customers }) => customers.del(id)).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof NotAtProvider)) throw error
      },
    ),
})

export function storedMethod(given: Stripe.PaymentMethod): StoredMethod {
  const { id, card, paypal } = given
  return {
    id,
    kind: card ? 'card' : 'paypal',
    fingerprint: card?.fingerprint ?? paypal?.payer_id ?? null,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    // A card is valid until the end of its month.
    expiresAt: card ? new Date(Date.UTC(card.exp_year, card.exp_month)) : null,
  }
}
