import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { forgetReasons } from '../../db/logbook-queries.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { forgetMailsAbout, forgetMailsTo } from '../../integrations/mail/queries.ts'
import { unprocessable, totalChanged } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { type Closing, closingOf, endingsInWords, recordClosing } from '../membership/account-closing.ts'
import { forgetBuyer } from '../orders/service.ts'
import { selectTracesOfChanges, selectAddressee } from './email-queries.ts'
import { provesPassword } from './passwords.ts'
import {
  anonymiseGifts,
  forgetGiver,
  notifyOfClosing,
  deleteStatementsOf,
  deleteSubscriber,
  deleteUser,
  revokeSessions,
} from './queries.ts'
import { lockAccount } from '../membership/queries.ts'

/**
 * Keeps the orders without a user. Asks for the password: the token may be stolen or the phone unlocked.
 * @throws 422 for a wrong password
 */
export async function deleteAccount(
  shop: Shop,
  userId: string,
  { password, shownMinor }: { readonly password: string; readonly shownMinor?: number | undefined },
): Promise<void> {
  if (!(await provesPassword(shop, userId, password)))
    throw unprocessable('password', ACCOUNT_MESSAGES.wrongPassword)
  await closeAccount(shop, userId, shownMinor)
}

export const previewDeletion = ({ db, clock }: Shop, userId: string): Promise<Closing> =>
  closingOf(db, userId, clock.now())

/**
 * @param shownMinor the refund in pence that the page showed; undefined refunds what is due
 * @throws 409 if the refund is no longer `shownMinor`
 */
export async function closeAccount(shop: Shop, userId: string, shownMinor?: number): Promise<void> {
  const { db, now, clock } = shop
  const ended = await db.transaction(async (tx) => {
    // Excludes concurrent charges, choices of free audiobooks and withdrawals.
    await lockAccount(tx, userId)
    const to = await selectAddressee(tx, { userId })
    if (!to) return []
    const closing = await closingOf(tx, userId, clock.now(), { lock: true })
    if (shownMinor !== undefined && shownMinor !== closing.amountMinor) throw totalChanged()
    await recordClosing(tx, closing, clock.now())
    await forgetBuyer(tx, userId)
    await anonymiseGifts(tx, userId)
    await forgetGiver(tx, userId)
    await forgetReasons(tx, userId)
    await deleteStatementsOf(tx, { userId })
    const { former, proofIds } = await selectTracesOfChanges(tx, userId)
    await forgetMailsAbout(tx, proofIds)
    // An unconfirmed address may belong to another person: that person's emails and newsletter stay.
    for (const email of to.confirmedAt ? [to.email, ...former] : former) {
      await forgetMailsTo(tx, email)
      await deleteSubscriber(tx, email)
      await deleteStatementsOf(tx, { email })
    }
    const revoked = await revokeSessions(tx, userId, {}, now())
    await deleteUser(tx, userId)
    await queueMail(tx, {
      to: to.email,
      kind: 'account_deleted',
      key: `account_deleted:${userId}`,
      data: {
        firstName: to.firstName,
        ended: endingsInWords(shop, closing),
        amountMinor: closing.amountMinor,
      },
    })
    await notifyOfClosing(tx)
    return revoked
  })
  for (const id of ended) liveSessionsOf(shop).forget(id)
  noteSecurity(shop, 'account_deleted', { userId })
}
