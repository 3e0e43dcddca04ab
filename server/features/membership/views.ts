import type { User } from '#contract/account.ts'
import type { Benefits } from './rules.ts'
import { hasFailedPayment } from './standing.ts'

/** The part of the current user that memberships answer for. */
export const benefitsView = ({
  current,
  subscriptions,
  hasCredit,
}: Benefits): Pick<User, 'currentSubscription' | 'subscriptions' | 'hasCredit'> => ({
  currentSubscription: current && {
    id: current.id,
    plan: current.plan,
    status: current.status,
    canceledAt: current.canceledAt?.toISOString() ?? null,
    validUntil: current.validUntil.toISOString(),
  },
  subscriptions: subscriptions.map((row) => ({ id: row.id, paymentFailed: hasFailedPayment(row) })),
  hasCredit,
})
