import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { promotionCode } from '../objects/discount.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

export function servePromotionCodes(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/promotion_codes'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, ['promotion', 'code', 'expires_at', 'max_redemptions', 'metadata'])
      const coupon = given.nested('promotion', ['type', 'coupon'])?.demandText('coupon')
      if (!coupon) throw missingParam('promotion')
      if (!store.get('coupon', coupon)) throw noSuch('coupon', coupon, 'promotion[coupon]')
      const code = given.text('code') ?? null
      const isTaken = store
        .all<Stripe.PromotionCode>('promotion_code')
        .some((each) => each.active && each.code.toLowerCase() === code?.toLowerCase())
      if (isTaken)
        throw invalidRequest('An active promotion code with this code already exists.', { param: 'code' })
      const made = promotionCode(clock.now(), {
        coupon,
        code,
        expiresAt: given.integer('expires_at') ?? null,
        maxRedemptions: given.integer('max_redemptions') ?? null,
        metadata: given.metadata(),
      })
      store.put('promotion_code', made)
      return made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'code', 'active'])
      const code = given.text('code')
      const all = store
        .all<Stripe.PromotionCode>('promotion_code')
        .filter((each) => !code || each.code.toLowerCase() === code.toLowerCase())
      return page(given, path, all)
    },
  })
}
