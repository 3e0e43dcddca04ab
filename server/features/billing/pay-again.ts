import { randomUUID } from 'node:crypto'
import { refused } from '../../wire/refusals.ts'
import { PaymentConflict } from '../../outside/stripe/problems.ts'
import { billedOf } from './changes.ts'
import type { Shop } from '../../shop.ts'
import { rememberSecret } from './secrets.ts'
import { settleSubscription } from './settle.ts'
import { needsBuyer } from './transition.ts'

export interface PaidAgain {
  readonly outcome: 'paid' | 'checking' | 'refused' | 'authenticate'
  readonly clientSecret: string | null
}

/**
 * The open invoice is tried once more with what is stored. A payment for which the bank wants its customer goes to
 * the browser.
 */
export async function payAgain(shop: Shop, userId: string, id: string): Promise<PaidAgain> {
  const { billing, payments } = shop
  const row = await billedOf(shop, userId, id)
  for await (const invoice of billing.invoices.list({ subscription: row.providerId })) {
    if (invoice.state !== 'open') continue
    // A press is a try of its own; an invoice is paid once, however many there are.
    const once = `again:${invoice.id}:${randomUUID()}`
    const after = await billing.invoices.pay(invoice.id, once).catch((error: unknown) => {
      // Paid or made void in the meantime.
      if (error instanceof PaymentConflict) return billing.invoices.retrieve(invoice.id)
      throw error
    })
    await settleSubscription(shop, row.providerId)
    if (after.state === 'paid') return { outcome: 'paid', clientSecret: null }
    const payment = after.payment === null ? null : await payments.retrievePayment(after.payment)
    if (payment?.state === 'pending') return { outcome: 'checking', clientSecret: null }
    if (!payment || !needsBuyer(payment)) return { outcome: 'refused', clientSecret: null }
    await rememberSecret(shop.db, id, after.clientSecret)
    return { outcome: 'authenticate', clientSecret: after.clientSecret }
  }
  throw refused('There’s nothing to pay.')
}
