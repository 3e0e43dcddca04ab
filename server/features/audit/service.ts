import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { takesPayments } from '../../integrations/stripe/payments.ts'
import type { Shop } from '../../shop.ts'
import { compareBooks } from './books.ts'
import {
  type Finding,
  subjectIds,
  type Subjects,
  selectAccounts,
  selectDueAccounts,
  selectDueOrders,
  selectFindings,
  selectOrdersWithoutAccount,
  storeFindings,
} from './queries.ts'
import { compareOrderWithProvider, compareWithProvider } from './provider.ts'

const ACCOUNTS_PER_PAGE = 50
/** Of accounts, and of orders. The next run continues with the rest. */
const MOST_PER_RUN = 2000
/** Four requests a second: the provider allows a hundred, and customers pay at the same time. */
const PACE_MS = 250
/** Wait before findings are checked again: a payment may have been in progress. */
const SECOND_LOOK_MS = MINUTE_MS
const STALE_MS = 30 * DAY_MS

type AuditShop = Pick<Shop, 'db' | 'config' | 'now' | 'clock' | 'payments' | 'billing' | 'log'>

interface AuditOptions {
  readonly signal: AbortSignal
  readonly paceMs?: number
  readonly secondLookMs?: number
  readonly asksProvider?: boolean
}

interface Audited {
  accounts: number
  orders: number
  readonly findings: Finding[]
}

export async function auditDue(shop: AuditShop, before: Date, options: AuditOptions): Promise<Audited> {
  const audited: Audited = { accounts: 0, orders: 0, findings: [] }
  const stale = new Date(shop.now().getTime() - STALE_MS)
  const page = { before, stale, limit: ACCOUNTS_PER_PAGE }
  await audit(shop, options, audited, async () => ({
    userIds: audited.accounts >= MOST_PER_RUN ? [] : await selectDueAccounts(shop.db, page),
  }))
  await audit(shop, options, audited, async () => ({
    orderIds: audited.orders >= MOST_PER_RUN ? [] : await selectDueOrders(shop.db, page),
  }))
  return audited
}

export async function auditAll(shop: AuditShop, options: AuditOptions): Promise<Audited> {
  const audited: Audited = { accounts: 0, orders: 0, findings: [] }
  for (const next of [
    paged('userIds', (after) => selectAccounts(shop.db, after, ACCOUNTS_PER_PAGE)),
    paged('orderIds', (after) => selectOrdersWithoutAccount(shop.db, after, ACCOUNTS_PER_PAGE)),
  ])
    await audit(shop, options, audited, next)
  return audited
}

function paged(
  kind: 'userIds' | 'orderIds',
  select: (after: string | null) => Promise<string[]>,
): () => Promise<Subjects> {
  let last: string | null = null
  return async () => {
    const ids = await select(last)
    last = ids.at(-1) ?? last
    return kind === 'userIds' ? { userIds: ids } : { orderIds: ids }
  }
}

async function audit(
  shop: AuditShop,
  options: AuditOptions,
  audited: Audited,
  next: () => Promise<Subjects>,
): Promise<void> {
  for (;;) {
    if (options.signal.aborted) return
    const subjects = await next()
    const count = subjectIds(subjects).length
    if (count === 0) return
    const first = await lookAt(shop, subjects, options)
    const findings = first.length === 0 ? [] : await lookAgain(shop, subjects, first, options)
    if (options.signal.aborted) return
    await storeFindings(shop.db, { subjects, findings, now: shop.now() })
    for (const { key } of findings) shop.log.error({ audit: key }, 'an audit found what does not agree')
    if ('userIds' in subjects) audited.accounts += count
    else audited.orders += count
    audited.findings.push(...findings)
  }
}

async function lookAgain(
  shop: AuditShop,
  subjects: Subjects,
  first: readonly Finding[],
  options: AuditOptions,
): Promise<Finding[]> {
  await pause(options.secondLookMs ?? SECOND_LOOK_MS, undefined, { signal: options.signal }).catch(
    () => undefined,
  )
  const ids = [...new Set(first.map(({ userId, orderId }) => (userId ?? orderId)!))]
  const doubtful = 'userIds' in subjects ? { userIds: ids } : { orderIds: ids }
  const before = new Set(first.map(({ key }) => key))
  return (await lookAt(shop, doubtful, options)).filter(({ key }) => before.has(key))
}

async function lookAt(
  shop: AuditShop,
  subjects: Subjects,
  { signal, paceMs = PACE_MS, asksProvider = true }: AuditOptions,
): Promise<Finding[]> {
  const findings = await compareBooks(shop.db, shop.config, { ...subjects, now: shop.clock.now() })
  if (!asksProvider || !takesPayments(shop.payments)) return findings
  const turn = async () => {
    signal.throwIfAborted()
    if (paceMs > 0) await pause(paceMs, undefined, { signal })
  }
  const compare = 'userIds' in subjects ? compareWithProvider : compareOrderWithProvider
  for (const id of subjectIds(subjects)) {
    if (signal.aborted) break
    try {
      findings.push(...(await compare({ shop, turn }, id)))
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  return findings
}

export const openFindings = (db: Shop['db'], limit: number) => selectFindings(db, limit)
