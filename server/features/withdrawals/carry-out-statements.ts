import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { forEachDue, postponing } from '../../due-work/for-each-due.ts'
import { countHit, firstOverLimit, type Limit, selectTallies } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import { Refusal } from '../../http/http-errors.ts'
import { withdrawByStatement } from '../membership/withdraw.ts'
import { takeBack, takeBackTitle } from '../checkout/gift-checkout.ts'
import { refuseTakingBack } from '../gifts/giver-actions.ts'
import { withdrawalAt } from '../membership/withdrawal-amounts.ts'
import { orderNumbered } from '../orders/service.ts'
import { selectUnchecked, type StatementRow, updateStatement } from './queries.ts'
import { selectAnySubscription } from '../membership/queries.ts'
import { selectTitleGiftsOfLines, selectMembershipGiftsOfLines } from '../gifts/queries.ts'

const STATEMENTS_PER_RUN = 100
/** Order numbers are consecutive, so a stranger who knows an address could guess them. */
const WRONG_NUMBERS: Limit = { name: 'wrong order number for', most: 5, windowSeconds: 86_400 }

type Found = Awaited<ReturnType<typeof orderNumbered>>
type Line = Found['lines'][number]

export async function carryOutStatements(shop: Shop, signal?: AbortSignal): Promise<void> {
  const due = await selectUnchecked(shop.db, shop.clock.now(), STATEMENTS_PER_RUN)
  await forEachDue(due, (statement) => carryOutStatement(shop, statement), {
    log: shop.log,
    signal,
    problem: 'a statement of withdrawal was not carried out yet',
    about: ({ id }) => ({ statement: id }),
    ...postponing<StatementRow>(shop, 'withdrawal-statement', ({ id }) => id),
    toleratesOutage: true,
  })
}

async function carryOutStatement(shop: Shop, statement: StatementRow): Promise<void> {
  const checkedAt = shop.clock.now()
  const problem = await problemOf(shop, statement)
  await updateStatement(shop.db, statement.id, {
    checkedAt,
    problem,
    ...(problem === null ? { settledAt: checkedAt } : {}),
  })
}

/** Null if it was carried out; otherwise a sentence for the owner without names. */
async function problemOf(shop: Shop, statement: StatementRow): Promise<string | null> {
  const { email, contract, statedAt } = statement
  const wrongNumbers = [[WRONG_NUMBERS, email]] as const
  const isGuessing = firstOverLimit(wrongNumbers, await selectTallies(shop.db, wrongNumbers), shop.now())
  if (isGuessing) return 'Too many order numbers were tried for this address.'
  const numbers = orderNumbersIn(contract)
  if (numbers.length !== 1)
    return numbers.length === 0 ? 'It names no order.' : 'It names more than one order.'
  const found = await orderOfStatement(shop.db, numbers[0]!, email)
  if (!found) {
    await countHit(shop.db, WRONG_NUMBERS, email, shop.now())
    return 'There is no paid order with this number and address.'
  }
  const kept = found.lines.filter(({ refundedAt }) => refundedAt === null)
  if (statement.scope !== null && kept.length > 1) return `It is about a part of order ${found.order.number}.`
  try {
    // All lines are checked before the first one is carried out.
    const steps: (() => Promise<unknown>)[] = []
    for (const line of kept) {
      const step = await withdrawalOfLine(shop, line, statedAt)
      if (!step)
        return `“${line.title}” of order ${found.order.number} was delivered, or is no longer in its 14 days.`
      steps.push(step)
    }
    for (const step of steps) await step()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `Order ${found.order.number}: ${error.message}`
  }
}

/** Such as `M-100003`. A text with only the digits counts as a number without its letter. */
export function orderNumbersIn(contract: string): string[] {
  const whole = contract.match(/\bM-?\d{4,10}\b/gi)?.map((found) => found.toUpperCase().replace(/^M-?/, 'M-'))
  const alone = /^\D{0,20}?(\d{6,10})$/.exec(contract.trim())
  return [...new Set(whole ?? (alone ? [`M-${alone[1]}`] : []))]
}

async function orderOfStatement(db: Db, number: string, email: string): Promise<Found | undefined> {
  const found = await orderNumbered(db, number).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  const isTheirs = found?.order.state === 'paid' && found.order.buyerEmail.toLowerCase() === email
  return isTheirs ? found : undefined
}

async function withdrawalOfLine(
  shop: Shop,
  line: Line,
  statedAt: BusinessTime,
): Promise<(() => Promise<unknown>) | undefined> {
  const { sold, gift, deliveredId } = line
  if (gift) {
    const isMembership = sold.kind === 'membership_gift'
    const [given] = isMembership
      ? await selectMembershipGiftsOfLines(shop.db, [line.id])
      : await selectTitleGiftsOfLines(shop.db, [line.id])
    if (!given) return undefined
    if (given.takenBackAt) return async () => undefined
    if (!isAllowed(() => refuseTakingBack(given, statedAt))) return undefined
    return () => (isMembership ? takeBack : takeBackTitle)(shop, 'link', given.id, statedAt)
  }
  if (sold.kind !== 'membership' || deliveredId === null) return undefined
  const row = await selectAnySubscription(shop.db, deliveredId)
  if (row?.withdrawnAt) return async () => undefined
  if (!row || row.endedAt || row.suspendedAt) return undefined
  const withdrawal = await withdrawalAt(shop.db, row, statedAt)
  if (!withdrawal || withdrawal.amountMinor === 0) return undefined
  return () => withdrawByStatement(shop, row.id, statedAt)
}

function isAllowed(refuse: () => void): boolean {
  try {
    refuse()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
