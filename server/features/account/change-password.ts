import { randomUUID } from 'node:crypto'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import type { Caller } from '../../auth/access.ts'
import { refuseUnproved } from '../../auth/recent-proof.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import {
  countOrRefuse,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
} from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { notFound, outdated, unprocessable } from '../../http/http-errors.ts'
import type { Accounts } from './sessions.ts'
import { PASSWORD_CHANGES, turnOfAccount } from './limits.ts'
import { refuseGuessablePassword } from './password-strength.ts'
import { provesPassword, hashPassword } from './passwords.ts'
import { closeProofs, selectAddressee } from './email-queries.ts'
import { insertPasswordHash, replacePasswordHash, revokeSessions, selectUser } from './queries.ts'

interface PasswordChange {
  readonly oldPassword: string
  readonly newPassword: string
}

/**
 * Sets the first password of an account that a wallet payment created. Other sessions stay, because no one can have logged in without a password.
 * @throws 403 for a log-in too long ago, 422 for an easy password, 409 if there is a password
 */
export async function choosePassword({ shop }: Accounts, caller: Caller, newPassword: string): Promise<void> {
  const { db } = shop
  const { userId, sessionId } = caller
  const owner = await selectUser(db, userId)
  if (!owner) throw notFound()
  await refuseUnproved(shop, caller)
  await refuseGuessablePassword(newPassword, owner.user, 'newPassword')
  const passwordHash = await hashPassword(newPassword, turnOfAccount(userId))
  if (!(await insertPasswordHash(db, userId, passwordHash)))
    throw outdated(ACCOUNT_MESSAGES.passwordJustChanged)
  noteSecurity(shop, 'password_changed', { userId, sessionId })
}

/**
 * Of two concurrent changes one gets 409: success must never be reported for a password that does not open the account.
 * @throws 422 for a wrong old password or an easy new one, 429 after too many changes
 */
export async function changePassword(
  { shop, access }: Accounts,
  { userId, sessionId }: Caller,
  { oldPassword, newPassword }: PasswordChange,
): Promise<string> {
  const { db, now } = shop
  const owner = await selectUser(db, userId)
  if (!owner) throw notFound()
  await refuseGuessablePassword(newPassword, owner.user, 'newPassword')
  const changes: LimitOf = [PASSWORD_CHANGES, userId]
  refuseOverLimit([changes], await selectTallies(db, [changes]), now())
  const before = owner.user.passwordHash
  if (before === null || !(await provesPassword(shop, userId, oldPassword, before)))
    throw unprocessable('oldPassword', 'Invalid credentials.')
  await countOrRefuse(db, ...changes, now())
  const passwordHash = await hashPassword(newPassword, turnOfAccount(userId))
  const ended = await db.transaction(async (tx) => {
    if (!(await replacePasswordHash(tx, userId, { before, after: passwordHash })))
      throw outdated(ACCOUNT_MESSAGES.passwordJustChanged)
    const revoked = await revokeSessions(tx, userId, { keep: sessionId }, now())
    await closeProofs(tx, ['reset', 'change'], userId, now())
    const to = await selectAddressee(tx, { userId })
    if (to)
      await queueMail(tx, {
        to: to.email,
        kind: 'password_changed',
        key: `password_changed:${randomUUID()}`,
        data: { firstName: to.firstName },
      })
    return revoked
  })
  for (const id of ended) liveSessionsOf(shop).forget(id)
  noteSecurity(shop, 'password_changed', { userId, sessionId })
  return access.issue({ userId, sessionId })
}
