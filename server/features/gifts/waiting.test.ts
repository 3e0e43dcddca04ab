import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { aBuyer, type Buyer, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { signedIn } from '#tests/support/builders.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { claimWaitingMembership } from './claim-membership-gift.ts'
import { runGiftCalendar } from './gift-delivery.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const claimLink = (token: string) => `/api/subscriptions/claim/${token}`

test('a gift claimed by a member begins at the very end of their membership, through the job and not through a request', async () => {
  for (const looks of ['nobody', 'member'] as const) {
    const email = aRecipient()
    const buyer = await aBuyer(at.shop)
    await give(at, buyer, { giftEmail: email, plan: 1 })
    const recipient = await anAccountOf(at.shop, email)
    const now = at.shop.clock.now()
    const until = new Date(now.getTime() + 10 * 24 * 3_600_000)
    const own = { userId: recipient.user.id, plan: 4 as const, status: 'active' as const, couponCode: 'OWN' }
    await at.shop.db
      .insert(subscriptions)
      .values({ ...own, periodStart: now, periodEnd: until, validUntil: until })
    const claimed = await recipient.ask('POST', claimLink((await mailedTo(at.shop, email)).token))
    const looking = async () =>
      at.shop.app.inject({
        url: '/api/get-current-subscription',
        headers: await signedIn(at.shop, recipient.user),
      })
    expect(claimed.json()).toMatchObject({
      state: 'waiting',
      subscription: null,
      startsAt: until.toISOString(),
    })
    expect((await recipient.ask('GET', '/api/get-current-subscription')).json()).toMatchObject({ plan: 4 })
    at.shop.clock.set(new Date(until.getTime() + 90_000))
    if (looks === 'member') await expectOnlyRead(recipient)
    await runGiftCalendar(at.shop)
    expect((await looking()).json()).toMatchObject({
      plan: 1,
      gift: true,
      periodStart: until.toISOString(),
    })
    expect((await mailedTo(at.shop, email)).subjects[0]).toMatch(/^Your gift from .* has started$/)
  }
})

/** Requests show a due gift as due and write nothing. */
async function expectOnlyRead(recipient: Buyer): Promise<void> {
  const { db, app } = at.shop
  const written = () => Promise.all([db.select().from(subscriptions), db.select().from(membershipGifts)])
  const before = await written()
  const headers = await signedIn(at.shop, recipient.user)
  for (const url of [
    '/api/get-current-subscription',
    '/api/subscriptions',
    '/api/subscriptions/gifts',
    '/api/logged-user',
  ])
    expect((await app.inject({ url, headers })).statusCode, url).toBe(200)
  const waiting = (await app.inject({ url: '/api/subscriptions/gifts', headers })).json()
  expect(waiting['hydra:member'][0]).toMatchObject({
    state: 'waiting',
    startsAt: at.shop.clock.now().toISOString(),
  })
  expect(await written()).toEqual(before)
}

test('the reminder to the giver says if the recipient’s address does not accept emails', async () => {
  at.shop.clock.set('2026-07-31T10:00:00Z')
  const [giver, email] = [await aBuyer(at.shop), aRecipient()]
  await give(at, giver, { giftEmail: email })
  await at.shop.db.update(mails).set({ failedAt: at.shop.now() }).where(eq(mails.recipient, email))
  at.shop.clock.set('2027-06-30T10:00:10Z')
  await runGiftCalendar(at.shop)
  const { mails: told } = await mailedTo(at.shop, giver.user.email)
  const reminder = told.find(({ subject }) => /hasn’t been opened/.test(subject))
  expect(reminder?.text).toContain('didn’t get through')
})

test('a gift is claimed from the list only if it was sent, is still given, and to a confirmed address of the account', async () => {
  const giver = await aBuyer(at.shop)
  const given = async (email: string, wish: object = {}) => {
    const { order } = await give(at, giver, { giftEmail: email, ...wish })
    const [gift] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.orderId, order))
    return gift!.id
  }
  const claim = ({ user }: Buyer, id: string) => claimWaitingMembership(at.shop, user.id, id)
  const email = aRecipient()
  const id = await given(email)
  const inAWeek = new Date(at.shop.clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
  const [unconfirmed, stranger] = [await anAccountOf(at.shop, email, false), await aBuyer(at.shop)]
  await expect(claim(unconfirmed, id)).rejects.toMatchObject({ kind: 'notFound' })
  await expect(claim(stranger, id)).rejects.toMatchObject({ kind: 'notFound' })

  const other = aRecipient()
  const recipient = await anAccountOf(at.shop, other)
  const later = await given(other, { giftDeliveryDate: inAWeek })
  await expect(claim(recipient, later)).rejects.toMatchObject({ kind: 'notFound' })
  const revoked = await given(other)
  const over = { revokedAt: at.shop.clock.now() }
  await at.shop.db.update(membershipGifts).set(over).where(eq(membershipGifts.id, revoked))
  await expect(claim(recipient, revoked)).rejects.toMatchObject({ kind: 'notFound' })
  expect((await claim(recipient, await given(other))).gift.claimedBy).toBe(recipient.user.id)
})
