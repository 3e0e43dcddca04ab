import { getDiscount } from '#contract/discounts.ts'
import { addressKey } from '../../guards/rate-limit.ts'
import { notFound } from '../../refusals.ts'
import { type Room, serve } from '../../serve.ts'
import { findDiscount, isActive, lookAtCode } from './rules.ts'
import { discountView } from './views.ts'

export function registerDiscounts(room: Room): void {
  const { db, now } = room.shop
  serve(room, getDiscount, async ({ params, caller, request }) => {
    const who = caller?.userId ?? addressKey(request.ip)
    const row = await lookAtCode(
      db,
      { who, now: now() },
      () => findDiscount(db, params.code),
      (found) => found === undefined,
    )
    if (!row) throw notFound()
    return discountView(row, isActive(row, now()))
  })
}
