import { customerOf, worldOf } from './moment.ts'
import type { Reactions } from '../world.ts'
import { failed } from './charging.ts'
import { invoiceOfIntent, paid } from './invoices.ts'
import { setUpDone } from './joining.ts'

/** The effects of payments on invoices and subscriptions; the payment code does not import either. */
export const reactions: Reactions = {
  intentPaid(world, intent) {
    const invoice = invoiceOfIntent(world.store, intent.id)
    if (invoice) paid(worldOf(world, customerOf(invoice)), invoice, intent)
  },
  intentRefused(world, intent) {
    const invoice = invoiceOfIntent(world.store, intent.id)
    if (invoice) failed(worldOf(world, customerOf(invoice)), invoice, intent)
  },
  setUpDone,
}
