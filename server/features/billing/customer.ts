import { notFound } from '../../refusals.ts'
import { memberOf } from '../membership/rules.ts'
import type { Desk } from './desk.ts'
import { insertCustomer, selectCustomer } from './rows.ts'

/** Who pays at the provider, made with the first membership: one for each account, however often it is asked for. */
export async function customerOf({ db, billing }: Desk, userId: string): Promise<string> {
  const known = await selectCustomer(db, userId)
  if (known) return known
  const person = await memberOf(db, userId)
  if (!person) throw notFound()
  const name = `${person.firstName} ${person.lastName}`.trim()
  const made = await billing.customers.create(
    { email: person.email, name, metadata: { user: userId } },
    `customer:${userId}`,
  )
  await insertCustomer(db, { userId, customerId: made, toldEmail: person.email, toldName: name })
  return (await selectCustomer(db, userId)) ?? made
}
