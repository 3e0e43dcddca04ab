import { discounts } from '#server/db/schema/discounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { everybody, get, ownerOnly, ownList, type SampleCall } from './sample-call.ts'
import type { World } from './world.ts'

/** One that ended: the owner is no member. */
async function subscriptionOf({ shop, owner }: World): Promise<string> {
  const then = new Date(shop.now().getTime() - 40 * 24 * 3_600_000)
  const [row] = await shop.db
    .insert(subscriptions)
    .values({
      userId: owner.id,
      plan: 4,
      status: 'canceled',
      orderedAt: then,
      periodStart: then,
      periodEnd: then,
      validUntil: then,
    })
    .returning()
  return row!.id
}

const on = (path: string): SampleCall => ({
  statuses: ownerOnly,
  request: async (world) => ({ url: `/api/subscriptions/${await subscriptionOf(world)}${path}` }),
})

/** The calls of memberships. */
export const MEMBERSHIP_CALLS: Readonly<Record<string, SampleCall>> = {
  'GET /api/subscriptions': get(ownList, () => '/api/subscriptions'),
  'GET /api/get-current-subscription': get(ownList, () => '/api/get-current-subscription'),
  'GET /api/subscriptions/default-payment': get(ownList, () => '/api/subscriptions/default-payment'),
  'GET /api/subscriptions/{id}/details': on('/details'),
  'GET /api/subscriptions/{id}/invoice': on('/invoice'),
  'GET /api/discounts/{code}/sub-apply-coupon': {
    statuses: everybody(200),
    request: async ({ shop }) => {
      await shop.db
        .insert(discounts)
        .values({ code: 'SAMPLE', type: 'all', percent: 10 })
        .onConflictDoNothing()
      return { url: '/api/discounts/sample/sub-apply-coupon?plan=4' }
    },
  },
}
