import { eq } from 'drizzle-orm'
import { discounts } from '#server/db/schema/discounts.ts'
import { customers, membershipSecrets, subscriptions } from '#server/db/schema/membership.ts'
import { giveMembership } from '#server/features/gifts/membership-gifts.ts'
import { giverToken } from '#server/features/gifts/giver-actions.ts'
import { hashOfSecret } from '#server/features/membership/payment-methods.ts'
import { priceKeyOf } from '#server/integrations/stripe/prices.ts'
import { everybody, get, ownerOnly, ownList, type SampleCall } from './sample-call.ts'
import type { World } from './world.ts'

/** A membership that has ended, so the owner is not a member. */
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

/** A membership that the provider bills but that grants nothing yet, so the owner is not a member. */
async function billedOf({ shop, owner }: World): Promise<{ id: string; setUp: string; secret: string }> {
  await shop.db.delete(subscriptions).where(eq(subscriptions.userId, owner.id))
  const customer = await shop.billing.customers.create(
    { email: owner.email, name: 'Owner', metadata: {} },
    owner.id,
  )
  await shop.db.insert(customers).values({ userId: owner.id, customerId: customer }).onConflictDoNothing()
  const [held] = await shop.db.select().from(customers).where(eq(customers.userId, owner.id))
  const begun = await shop.billing.subscriptions.create(
    { customer, price: priceKeyOf(4), metadata: {} },
    owner.id,
  )
  await shop.billing.subscriptions.payWith(begun.id, 'pm_fake')
  const now = shop.clock.now()
  const [row] = await shop.db
    .insert(subscriptions)
    .values({
      userId: owner.id,
      plan: 4,
      status: 'active',
      providerId: begun.id,
      periodStart: now,
      periodEnd: now,
      validUntil: now,
      paymentType: 'card',
    })
    .returning()
  const { id: setUp, clientSecret: secret } = await shop.billing.setUps.create(
    { customer: held!.customerId, metadata: {} },
    owner.id,
  )
  await shop.db
    .insert(membershipSecrets)
    .values({ id: setUp, secretHash: hashOfSecret(secret), subscriptionId: row!.id })
    .onConflictDoNothing()
  return { id: row!.id, setUp, secret }
}
const billed = (
  path: string,
  payload?: (of: { setUp: string }) => Record<string, unknown>,
  statuses: SampleCall['statuses'] = ownerOnly,
): SampleCall => ({
  statuses,
  request: async (world) => {
    const made = await billedOf(world)
    return { url: path.replace('{id}', made.id), ...(payload ? { payload: payload(made) } : {}) }
  },
})
/** Deletes earlier memberships instead of creating a new account, which would not be the owner. */
const fresh = (url: string, payload: Record<string, unknown>, member: number): SampleCall => ({
  statuses: { ...ownList, owner: 201, stranger: 201, member },
  request: async ({ shop, owner }) => {
    await shop.db.delete(subscriptions).where(eq(subscriptions.userId, owner.id))
    await shop.db.insert(discounts).values({ code: 'WHOLE', type: 'all', percent: 100 }).onConflictDoNothing()
    return { url, payload: { startNow: true, ...payload } }
  },
})

/** A membership that the owner gave. It has been mailed but not claimed. */
const givenAt = (
  statuses: SampleCall['statuses'],
  urlOf: (gift: string, world: World) => string,
  payload?: Record<string, unknown>,
): SampleCall => ({
  statuses,
  request: async (world) => {
    const { shop, owner } = world
    const id = await giveMembership(shop.db, shop, {
      orderLineId: null,
      orderId: null,
      plan: 4,
      giver: { id: owner.id, name: 'Owner', email: owner.email },
      email: 'given@murmur.example',
      message: null,
      firstName: 'Una',
      day: null,
      zone: 'Europe/London',
      christmas: false,
      paidMinor: 0,
    })
    return { url: urlOf(id, world), ...(payload ? { payload } : {}) }
  },
})
const given = (path: string, payload?: Record<string, unknown>): SampleCall =>
  givenAt(ownerOnly, (id) => `/api/subscriptions/given/${id}${path}`, payload)
/** A call by the link in the giver's email. */
const byLink = (path: string, payload?: Record<string, unknown>): SampleCall =>
  givenAt(
    everybody(200),
    (id, { shop }) =>
      `/api/gifts/given-by-link/${giverToken(shop.config, { kind: 'membership', id })}${path}`,
    payload,
  )

const nobodys = { ...everybody(404), visitor: 401 }
const NONE = '00000000-0000-4000-8000-000000000000'

/** The calls of memberships. */
export const MEMBERSHIP_CALLS: Readonly<Record<string, SampleCall>> = {
  'GET /api/subscriptions': get(ownList, () => '/api/subscriptions'),
  'GET /api/get-current-subscription': get(ownList, () => '/api/get-current-subscription'),
  'GET /api/subscriptions/default-payment': get(ownList, () => '/api/subscriptions/default-payment'),
  'GET /api/subscriptions/{id}/details': on('/details'),
  'GET /api/subscriptions/{id}/invoice': on('/invoice'),
  'POST /api/subscriptions': fresh('/api/subscriptions', { plan: 4 }, 422),
  'POST /api/subscriptions/create_trial_subscription': fresh(
    '/api/subscriptions/create_trial_subscription',
    {},
    422,
  ),
  'POST /api/subscriptions/create-without-payment': fresh(
    '/api/subscriptions/create-without-payment',
    { plan: 6, couponCode: 'whole' },
    422,
  ),
  'POST /api/subscriptions/give': {
    statuses: everybody(422),
    request: async () => ({
      url: '/api/subscriptions/give',
      payload: {
        plan: 4,
        giftKey: NONE,
        giver: { email: 'a-giver@murmur.example', firstName: 'Una', lastName: 'Reed' },
      },
    }),
  },
  'POST /api/subscriptions/gift-check': {
    statuses: everybody(200),
    request: async () => ({
      url: '/api/subscriptions/gift-check',
      payload: { email: 'nobody@murmur.example' },
    }),
  },
  'GET /api/subscriptions/claim/{token}': get(everybody(404), () => '/api/subscriptions/claim/none'),
  'POST /api/subscriptions/claim/{token}': get(nobodys, () => '/api/subscriptions/claim/none'),
  'GET /api/subscriptions/gifts': get(ownList, () => '/api/subscriptions/gifts'),
  'POST /api/subscriptions/gifts/{id}/claim': get(nobodys, () => `/api/subscriptions/gifts/${NONE}/claim`),
  'POST /api/subscriptions/gifts/{id}/thanks': {
    statuses: nobodys,
    request: async () => ({
      url: `/api/subscriptions/gifts/${NONE}/thanks`,
      payload: { message: 'Thank you' },
    }),
  },
  'GET /api/subscriptions/given': get(ownList, () => '/api/subscriptions/given'),
  'PATCH /api/subscriptions/given/{id}': given('', { giftRecipientFirstName: 'Nell' }),
  'POST /api/subscriptions/given/{id}/send-again': given('/send-again'),
  'POST /api/subscriptions/given/{id}/card': given('/card'),
  'POST /api/subscriptions/given/{id}/take-back': given('/take-back'),
  'GET /api/gifts/given-by-link/{token}': byLink(''),
  'PATCH /api/gifts/given-by-link/{token}': byLink('', { giftRecipientFirstName: 'Nell' }),
  'POST /api/gifts/given-by-link/{token}/send-again': byLink('/send-again'),
  'POST /api/gifts/given-by-link/{token}/card': byLink('/card'),
  'POST /api/gifts/given-by-link/{token}/take-back': byLink('/take-back'),
  'POST /api/set_ups/return': {
    statuses: everybody(200),
    request: async (world) => {
      const { setUp, secret } = await billedOf(world)
      return { url: '/api/set_ups/return', payload: { setupIntent: setUp, clientSecret: secret } }
    },
  },
  'POST /api/subscriptions/{id}/cancel': billed('/api/subscriptions/{id}/cancel'),
  'POST /api/subscriptions/{id}/preview': {
    ...billed('/api/subscriptions/{id}/preview', () => ({ plan: 6 })),
  },
  'PATCH /api/subscriptions/{id}': billed('/api/subscriptions/{id}', () => ({ canceledAt: null })),
  'POST /api/subscriptions/{id}/withdraw': billed('/api/subscriptions/{id}/withdraw', () => ({ amount: 1 }), {
    ...ownerOnly,
    owner: 422,
  }),
  'POST /api/subscriptions/{id}/pay': billed('/api/subscriptions/{id}/pay', undefined, {
    ...ownerOnly,
    owner: 422,
  }),
  'POST /api/subscriptions/{id}/leaving-reason': billed(
    '/api/subscriptions/{id}/leaving-reason',
    () => ({ reason: 'time' }),
    { ...ownerOnly, owner: 422 },
  ),
  'POST /api/subscriptions/{id}/update-payment-method': billed(
    '/api/subscriptions/{id}/update-payment-method',
    ({ setUp }) => ({ paymentMethod: setUp }),
  ),
  'POST /api/set-payment-method/{id}': billed('/api/set-payment-method/{id}', ({ setUp }) => ({
    paymentMethod: setUp,
  })),
  'GET /api/subscription_intents': {
    ...billed('/api/subscription_intents', undefined, { ...ownList, stranger: 422, member: 422 }),
  },
  'GET /api/setup-intent': billed('/api/setup-intent', undefined, { ...ownList, stranger: 422, member: 422 }),
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
