import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/accounts.ts'
import { type Buyer, aBuyer, comeBack } from './purchases.ts'
import type { FakePayments } from './fake-payments.ts'
import type { TestShop } from './shop.ts'

let gifts = 0
/** A new address that has received no mail. */
export const aRecipient = (): string => `recipient-${(gifts += 1)}@murmur.example`

/** An account with this address, confirmed by default. */
export async function anAccountOf(shop: TestShop, email: string, confirmed = true): Promise<Buyer> {
  const buyer = await aBuyer(shop, { email })
  await shop.db
    .update(users)
    .set({ confirmedAt: confirmed ? shop.now() : null })
    .where(eq(users.id, buyer.user.id))
  return buyer
}

/** Orders a gift and pays for it; returns the order. */
export async function give(
  at: { readonly shop: TestShop; readonly payments: FakePayments },
  giver: Pick<Buyer, 'ask'>,
  wish: object,
): Promise<{ order: string; intent: string; clientSecret: string }> {
  const answer = await giver.ask('POST', '/api/subscriptions', {
    gift: true,
    giftKey: randomUUID(),
    plan: 5,
    startNow: true,
    ...wish,
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const { id: order, paymentIntent: clientSecret } = answer.json()
  if (clientSecret === null) return { order, intent: '', clientSecret: '' }
  const intent = clientSecret.split('_secret_')[0]
  at.payments.pay(intent)
  await comeBack(giver, { order, clientSecret, intent })
  return { order, intent, clientSecret }
}

/** The subjects of the mails to an address, newest first, and the link and the code of the newest gift. */
export async function mailedTo(shop: TestShop, email: string) {
  const mails: { subject: string; text: string; links: string[] }[] = (
    await shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(email)}`)
  ).json()
  const card = mails.find(({ links }) => links.some((link) => link.includes('/get-subscription')))
  const link = card?.links.find((address) => address.includes('token='))
  return {
    mails,
    subjects: mails.map(({ subject }) => subject),
    token: link ? (new URL(link).searchParams.get('token') ?? '') : '',
    code: /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(card?.text ?? '')?.[0] ?? '',
  }
}
