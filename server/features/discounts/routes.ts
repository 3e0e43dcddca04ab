import { getDiscount } from '#contract/discounts.ts'
import { addressKey } from '../../guards/rate-limit.ts'
import { notFound } from '../../refusals.ts'
import { type Room, serve } from '../../serve.ts'
import { countGuess, findDiscount, isActive } from './rules.ts'
import { discountView } from './views.ts'

export function registerDiscounts(room: Room): void {
  const { db, now } = room.shop
  serve(room, getDiscount, async ({ params, caller, request }) => {
    const row = await findDiscount(db, params.code)
    if (!row) {
      await countGuess(db, caller?.userId ?? addressKey(request.ip), now())
      throw notFound()
    }
    return discountView(row, isActive(row, now()))
  })
}
