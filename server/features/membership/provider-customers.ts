import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { NotAtProvider } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { notFound } from '../../http/http-errors.ts'
import { insertCustomer, noteSynced, selectCustomer, selectUnsynced } from './billing-queries.ts'
import { selectMember } from './queries.ts'

/**
 * The account's customer at the provider, created with the first membership. It is created without a name, because a
 * name may change and the same idempotency key must always send the same data; the name is sent after that.
 */
export async function customerOf({ db, billing, log }: Shop, userId: string): Promise<string> {
  const known = await selectCustomer(db, userId)
  if (known) return known
  const person = await selectMember(db, userId)
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
    // `syncCustomers` sends it later.
    log.warn({ err: error, customer }, 'a new customer’s name could not be said to the provider')
  }
  return customer
}

/**
 * Job: sends changed names and email addresses to the provider, which emails receipts. The last values sent are stored
 * with the customer, so that the next run repeats a failed call.
 */
export async function syncCustomers(shop: Shop, signal?: AbortSignal): Promise<void> {
  const unsynced = eachRow(
    (page) => selectUnsynced(shop.db, page),
    ({ userId }) => userId,
  )
  await forEachDue(unsynced, (customer) => syncCustomer(shop, customer), {
    log: shop.log,
    signal,
    problem: 'a customer could not be told to the provider',
    about: ({ customerId }) => ({ customer: customerId }),
  })
}

async function syncCustomer(
  { db, billing }: Shop,
  { userId, customerId, email, name }: Awaited<ReturnType<typeof selectUnsynced>>[number],
): Promise<void> {
  try {
    await billing.customers.update(customerId, { email, name })
  } catch (error) {
    if (!(error instanceof NotAtProvider)) throw error
  }
  await noteSynced(db, userId, { syncedEmail: email, syncedName: name })
}
