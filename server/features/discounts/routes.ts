import { getDiscount, planDiscount } from '#contract/discounts.ts'
import { addressKey } from '../../rate-limiting/rate-limit.ts'
import { notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { ratesAt, calculatePrices } from '../prices/pricing.ts'
import { findDiscount, isActive, isUsedUp, resolveCode, lookUpCode } from './service.ts'
import { discountView, planDiscountView } from './serializers.ts'

export function registerDiscounts(server: ApiServer): void {
  const { db, now, clock, config } = server.shop
  const lookUp = async ({ params, caller, request }: Asked) => {
    const row = await lookUpCode(
      db,
      { who: caller?.userId ?? addressKey(request.ip), now: now() },
      () => findDiscount(db, params.code),
      (found) => found === undefined,
    )
    if (!row) throw notFound()
    return row
  }

  serve(server, getDiscount, async (call) => {
    const row = await lookUp(call)
    const at = clock.now()
    const isOver = !isActive(row, at) || (await isUsedUp(db, row, { source: null, now: at }))
    return discountView(row, !isOver)
  })
  serve(server, planDiscount, async (call) => {
    const row = await lookUp(call)
    const plan = config.details.plans[call.query.plan]
    const sold = { kind: 'membership' as const, plan: plan.id }
    const lines = [{ sold, originalMinor: plan.priceMinor }]
    const userId = call.caller?.userId ?? null
    const resolved = await resolveCode(db, row.code, { userId, lines, source: userId, now: clock.now() })
    const rates = ratesAt(config, call.countries[0], clock.now())
    return planDiscountView(
      plan,
      resolved,
      calculatePrices(lines, 'row' in resolved ? resolved.reduction : null, rates),
    )
  })
}

interface Asked {
  readonly params: { readonly code: string }
  readonly caller: { readonly userId: string } | null
  readonly request: { readonly ip: string }
}
