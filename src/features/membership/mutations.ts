import type { ChangePreview, LeavingReason, payAgain as payAgainCall } from '#contract/membership-changes.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Subscription } from '#contract/membership.ts'
import { call } from '#net/call.ts'

const of = (id: string) => ({ params: { id } })

export const cancelMembership = (id: string): Promise<Subscription> =>
  call('POST /api/subscriptions/{id}/cancel', { ...of(id) })

export const resumeMembership = (id: string): Promise<Subscription> =>
  call('PATCH /api/subscriptions/{id}', { ...of(id), body: { canceledAt: null } })

export const changePlan = (
  id: string,
  { plan, amount, reckonedAt }: Pick<ChangePreview, 'plan' | 'amount' | 'reckonedAt'>,
): Promise<Subscription> =>
  call('PATCH /api/subscriptions/{id}', { ...of(id), body: { plan, amount, reckonedAt } })

/** @param amount the refund shown on the page, in pounds */
export const withdraw = (id: string, amount: number): Promise<Subscription> =>
  call('POST /api/subscriptions/{id}/withdraw', { ...of(id), body: { amount } })

export const payAgain = (id: string): Promise<ReplyOf<typeof payAgainCall>> =>
  call('POST /api/subscriptions/{id}/pay', { ...of(id) })

export const sayWhyLeaving = (id: string, reason: LeavingReason): Promise<void> =>
  call('POST /api/subscriptions/{id}/leaving-reason', { ...of(id), body: { reason } })
