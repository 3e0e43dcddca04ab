import { planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { memberOf, type SubscriptionRow, type Withdrawal, withdrawalAt } from '../membership/rules.ts'
import { askForRefund, sumWithdrawn } from '../refunds/rules.ts'
import { selectInvoices } from './rows.ts'

/** The refunds that a withdrawal owes, each charge its own share, once. The caller holds the membership. */
export async function oweShares(
  tx: Db,
  { id, gift }: SubscriptionRow,
  { shares }: Withdrawal,
  now: Date,
): Promise<void> {
  const invoices = await selectInvoices(tx, id)
  for (const { orderId, amountMinor } of shares) {
    const invoiceId = invoices.find((invoice) => invoice.orderId === orderId)?.invoiceId
    const wish = {
      reason: gift ? 'gift-withdrawal' : 'withdrawal',
      key: `withdrawal:${id}:${orderId}`,
      orderId,
      amountMinor,
      ...(invoiceId && { invoiceId }),
    } as const
    await askForRefund(tx, wish, now)
  }
}

/**
 * The provider has ended it, and all that it charged until then is known: what was charged after the sum was reckoned is owed too,
 * and the member is written to. In the transaction that settles it; once, however often that is.
 */
export async function completeWithdrawal(
  tx: Db,
  { clock }: Pick<Shop, 'clock'>,
  row: SubscriptionRow & { readonly userId: string },
): Promise<void> {
  const { id, withdrawnAt, userId, plan } = row
  if (withdrawnAt === null || row.status !== 'canceled') return
  const late = await withdrawalAt(tx, row, withdrawnAt)
  if (late) await oweShares(tx, row, late, clock.now())
  const orderIds = (await selectInvoices(tx, id)).map(({ orderId }) => orderId)
  const person = await memberOf(tx, userId)
  const amountMinor = await sumWithdrawn(tx, orderIds)
  if (person)
    await queueMail(tx, {
      to: person.email,
      kind: 'membership_withdrawn',
      key: `membership_withdrawn:${id}`,
      data: { firstName: person.firstName, plan: planInWords(plan), amountMinor },
    })
}
