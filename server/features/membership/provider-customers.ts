import { inPages } from '../../db/in-pages.ts'
import { NotAtProvider, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { notFound } from '../../http/http-errors.ts'
import { memberOf } from './service.ts'
import { insertCustomer, noteSynced, selectCustomer, selectUnsynced } from './billing-queries.ts'

/**
 * The customer at the provider, made with the first membership: one for each account, however often it is asked for.
 * Made without a name, so that whoever changes theirs in between still asks for the same under the same key; the
 * name follows.
 */
export async function customerOf({ db, billing, log }: Shop, userId: string): Promise<string> {
  const known = await selectCustomer(db, userId)
  if (known) return known
  const person = await memberOf(db, userId)
  if (!person) throw notFound()
  const made = await billing.customers.create({ metadata: { user: userId } }, `customer-of:${userId}`)
  await insertCustomer(db, { userId, customerId: made })
  const customer = (await selectCustomer(db, userId)) ?? made
  const { email } = person
  const name = `${person.firstName} ${person.lastName}`.trim()
  try {
    await billing.customers.update(customer, { email, name })
    await noteSynced(db, userId, { syncedEmail: email, syncedName: name })
  } catch (error) {
    // The job that says who changed their name says this one, too.
    log.warn({ err: error, customer }, 'a new customer’s name could not be said to the provider')
  }
  return customer
}

/**
 * Changed addresses and names are sent to the provider, which writes receipts to them. The last ones sent are stored with
 * the customer, so nothing is forgotten and a call that failed is made again with the next run.
 */
export async function syncCustomers(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  const pages = inPages(
    (from) => selectUnsynced(shop.db, from),
    ({ userId }) => userId,
  )
  for await (const page of pages)
    for (const { userId, customerId, email, name } of page) {
      if (isOver()) return
      try {
        await shop.billing.customers.update(customerId, { email, name })
      } catch (error) {
        if (error instanceof PaymentsUnavailable) throw error
        if (!(error instanceof NotAtProvider)) {
          shop.log.warn({ err: error, customer: customerId }, 'a customer could not be told to the provider')
          continue
        }
      }
      await noteSynced(shop.db, userId, { syncedEmail: email, syncedName: name })
    }
}
