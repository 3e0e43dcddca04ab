import type { Db } from '../../db/open.ts'
import { type Charge, selectCharges } from '../orders/queries.ts'
import { selectPaidPeriods } from './queries.ts'

export interface Invoice extends Charge {
  readonly invoiceId: string
  readonly from: Date
  readonly until: Date
}

/** Newest first. */
export async function invoicesFor(db: Db, subscriptionId: string): Promise<Invoice[]> {
  const periods = new Map(
    (await selectPaidPeriods(db, subscriptionId)).map(({ orderId, ...period }) => [orderId, period]),
  )
  return (await selectCharges(db, [...periods.keys()])).map((charge) => ({
    ...charge,
    ...periods.get(charge.orderId)!,
  }))
}
