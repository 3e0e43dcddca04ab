import type { ClosingOutcome } from '#contract/account-deletion.ts'
import { planInWords } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { countUsableCredits } from './credit-queries.ts'
import { selectSubscriptions, type SubscriptionRow } from './queries.ts'
import { changeSubscription, isOver } from './subscription-state.ts'
import { oweWithdrawal, type Withdrawal, withdrawalAt } from './withdrawal-amounts.ts'

export interface EndingMembership {
  readonly row: SubscriptionRow
  readonly outcome: ClosingOutcome
  /** In pence; 0 unless the outcome is `back` or `to_giver`. */
  readonly amountMinor: number
  readonly withdrawal: Withdrawal | null
}

export interface Closing {
  readonly memberships: readonly EndingMembership[]
  /** Refunded to the account holder's own cards or PayPal accounts, in pence. Excludes refunds to givers. */
  readonly amountMinor: number
  readonly freeAudiobooks: number
}

/**
 * The memberships that deleting an account ends, with their refunds. Deleting counts as withdrawing from the charges
 * of the last 14 days (docs/product.md, Memberships). Read-only; a caller that acts on it must hold the account’s lock.
 */
export async function closingOf(
  db: Db,
  userId: string,
  now: BusinessTime,
  { lock = false } = {},
): Promise<Closing> {
  const rows = (await selectSubscriptions(db, userId)).filter(
    ({ status, withdrawnAt }) => !isOver(status) && status !== 'incomplete' && withdrawnAt === null,
  )
  const memberships: EndingMembership[] = []
  for (const row of rows) {
    const found = await withdrawalAt(db, row, now, { lock })
    const outcome = outcomeOf(row, found)
    const isPaid = outcome === 'back' || outcome === 'to_giver'
    memberships.push({
      row,
      outcome,
      amountMinor: isPaid ? found!.amountMinor : 0,
      withdrawal: isPaid ? found : null,
    })
  }
  const amountMinor = memberships
    .filter(({ outcome }) => outcome === 'back')
    .reduce((sum, each) => sum + each.amountMinor, 0)
  return { memberships, amountMinor, freeAudiobooks: await countUsableCredits(db, userId, now) }
}

function outcomeOf(row: SubscriptionRow, found: Withdrawal | null): ClosingOutcome {
  // Paid by a code or in a trial: no charge.
  if (row.status === 'trialing' || (!row.gift && row.providerId === null)) return 'no_charge'
  if (!found) return 'too_late'
  if (row.suspendedAt !== null) return 'disputed'
  if (found.amountMinor === 0) return 'nothing_left'
  return row.gift ? 'to_giver' : 'back'
}

/** Records the refunds in the transaction that deletes the account; they are sent to the provider afterwards. */
export async function recordClosing(tx: Db, { memberships }: Closing, now: BusinessTime): Promise<void> {
  for (const { row, withdrawal } of memberships) {
    if (!withdrawal) continue
    await oweWithdrawal(tx, row, withdrawal, now)
    const ended = { status: 'canceled', canceledAt: now, endedAt: now, validUntil: now } as const
    await changeSubscription(tx, row.id, { withdrawnAt: now, ...(row.gift ? ended : {}) })
  }
}

export const endingsInWords = (
  { config }: Pick<Shop, 'config'>,
  { memberships }: Closing,
): { plan: string; gift: boolean; outcome: ClosingOutcome }[] =>
  memberships.map(({ row, outcome }) => ({
    plan: planInWords(config.details.plans[row.plan]),
    gift: row.gift,
    outcome,
  }))
