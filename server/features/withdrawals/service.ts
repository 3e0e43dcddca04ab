import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import {
  selectStatement,
  insertStatement,
  notifyOfStatement,
  reopenStatement,
  selectByFingerprint,
  selectIsKnown,
  type StatementRow,
  updateStatement,
} from './queries.ts'
import { createHash } from 'node:crypto'
import { DAY_MS } from '#contract/durations.ts'
import { addressKey, countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { withoutLinks } from '../../integrations/mail/template.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { Refusal, refused, tooMany } from '../../http/http-errors.ts'

export async function receiptOfStatement(db: Db, id: string) {
  const statement = await selectStatement(db, id)
  return statement && receiptOf(db, statement)
}

/** PostgreSQL channel. Notified when a statement is committed, so that the job of every instance runs. */
export const WITHDRAWAL_STATED = 'withdrawal_stated'

const FROM_ONE_PLACE: Limit = { name: 'withdrawal from', most: 20, windowSeconds: 3600 }

/** Separate from other emails that strangers can trigger, so that those cannot use it up. */
const RECEIPTS: Limit = { name: 'withdrawal receipt to', most: 5, windowSeconds: 3600 }

interface Statement {
  readonly name: string
  readonly email: string
  readonly contract: string
  readonly scope: string | null
}

interface Sender {
  readonly userId: string | null
  readonly address: string
}

/** Directive 2011/83/EU, Article 13: all payments are reimbursed within 14 days of the statement. */
const DAYS_TO_REFUND = 14

export const refundBy = ({ statedAt }: StatementRow): Date =>
  new Date(statedAt.getTime() + DAYS_TO_REFUND * DAY_MS)

/** @throws 422 if it is settled, or the shop may still carry it out */
export function refuseUnsettleable({ settledAt, checkedAt }: StatementRow): void {
  if (settledAt) throw refused('This statement is settled already.')
  if (!checkedAt) throw refused('The shop has not looked at it yet. Try again in a minute.')
}

/**
 * Takes it off the to-do list. The customer gets no email about that: refunds have their own.
 * @throws 422 as `refuseUnsettleable`
 */
export async function settleStatement(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  row: StatementRow,
): Promise<void> {
  refuseUnsettleable(row)
  if (!(await updateStatement(db, row.id, { settledAt: clock.now() })))
    throw refused('This statement is settled already.')
}

/** Puts a statement that was settled by mistake back on the to-do list. @throws 422 if it isn't settled */
export async function unsettleStatement({ db }: Pick<Shop, 'db'>, id: string): Promise<void> {
  if (!(await reopenStatement(db, id))) throw refused('This statement is open again already.')
}

/** The same text again returns the stored statement. @throws 429 after too many statements */
export async function stateWithdrawal(
  shop: Shop,
  typed: Statement,
  { userId, address }: Sender,
): Promise<StatementRow> {
  await countOrRefuse(shop.db, FROM_ONE_PLACE, addressKey(address), shop.now())
  const statement = {
    name: typed.name.trim(),
    email: typed.email.trim().toLowerCase(),
    contract: typed.contract.trim(),
    scope: typed.scope?.trim() || null,
  }
  const fingerprint = fingerprintOf(statement)
  return shop.db.transaction(async (tx) => {
    const row = await insertStatement(tx, {
      ...statement,
      fingerprint,
      userId,
      statedAt: shop.clock.now(),
    })
    if (!row) return (await selectByFingerprint(tx, fingerprint))!
    await countReceipt(tx, row.email, shop.now())
    await queueMail(tx, {
      to: row.email,
      kind: 'withdrawal_received',
      key: `withdrawal_received:${row.id}`,
      data: await receiptOf(tx, row),
    })
    await notifyOfStatement(tx, WITHDRAWAL_STATED)
    return row
  })
}

const fingerprintOf = ({ name, email, contract, scope }: Statement): string =>
  createHash('sha256')
    .update(JSON.stringify([name, email, contract, scope].map((text) => text?.toLowerCase() ?? null)))
    .digest('base64url')

/** Without links if the shop does not know the address: a stranger may have typed it. */
async function receiptOf(db: Db, { name, email, contract, scope, statedAt }: StatementRow) {
  const isKnown = await selectIsKnown(db, email)
  const plain = (text: string) => (isKnown ? text : withoutLinks(text))
  return {
    name: plain(name),
    contract: plain(contract),
    scope: scope === null ? null : plain(scope),
    email,
    statedAt: statedAt.toISOString(),
  }
}

async function countReceipt(tx: Db, email: string, now: RealTime): Promise<void> {
  try {
    await countOrRefuse(tx, RECEIPTS, email, now)
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'tooMany') throw error
    throw tooMany(
      error.retryAfterSeconds ?? RECEIPTS.windowSeconds,
      'We’ve had several statements for this address already. Please try again in an hour, or write to us.',
    )
  }
}
