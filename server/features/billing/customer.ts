import { notFound } from '../../wire/refusals.ts'
import { memberOf } from '../membership/rules.ts'
import type { Shop } from '../../shop.ts'
import { noteSynced } from './customer-sync-rows.ts'
import { insertCustomer, selectCustomer } from './rows.ts'

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
    await noteSynced(db, userId, { syncedEmail: email, toldName: name })
  } catch (error) {
    // The job that says who changed their name says this one, too.
    log.warn({ err: error, customer }, 'a new customer’s name could not be said to the provider')
  }
  return customer
}
