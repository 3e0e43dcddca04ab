import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { syncSubscription } from '#server/features/membership/sync-subscription.ts'
import { type Buyer, aBuyer } from './purchases.ts'
import { signedIn } from './builders.ts'
import { type TestSandbox, testSandbox } from './sandbox.ts'
import { testShop, type TestShop } from './shop.ts'

export interface MembersShop {
  readonly shop: TestShop
  readonly sandbox: TestSandbox
  /** Advances business time, here and at the provider: `P30D`. */
  pass(duration: string): Promise<void>
  /** A member who joined and paid with a card. */
  member(plan?: number, card?: string): Promise<Member>
  /** Sets how the bank answers a member's card from now on: `generic_decline`, `authenticate`, `pass`. */
  bank(member: Member, says: string): Promise<void>
  /** A member in the free trial, with a card that has not been used before. */
  trial(): Promise<Member>
  /** Ends the membership at both, so that later steps of the test neither sync nor renew it. */
  forget(member: Member): Promise<void>
  /** Subjects, oldest first. */
  mailsTo(buyer: Pick<Buyer, 'user'>): Promise<string[]>
  /** Full mails, oldest first. */
  lettersTo(buyer: Pick<Buyer, 'user'>): Promise<Letter[]>
  close(): Promise<void>
}

interface Letter {
  readonly subject: string
  readonly text: string
}

export interface Member extends Buyer {
  readonly id: string
  /** The current membership, from the API. */
  current(): Promise<Record<string, unknown>>
  settle(): Promise<void>
  /** `sub_…` */
  providerId(): Promise<string>
}

/** One for each trial, because a card can have only one. */
const CARDS = ['4242424242424242', '5555555555554444', '378282246310005']

/** A whole shop with the payment sandbox, both at the same time. */
export async function membersShop(): Promise<MembersShop> {
  const sandbox = await testSandbox()
  await sandbox.billing.prices.setUp(membershipPrices())
  const shop = await testShop({
    env: { DEMO: '1', ...sandbox.env },
    payments: sandbox.payments,
    billing: sandbox.billing,
  })
  const pass = async (duration: string) => {
    const { now } = await sandbox.control('clock', { advance: duration })
    shop.clock.set(new Date(Number(now) * 1000 - shop.clock.aheadMs))
  }
  await pass(String(secondsToFirstDay()))
  const lettersTo = async ({ user }: Pick<Buyer, 'user'>): Promise<Letter[]> => {
    const answer = await shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(user.email)}`)
    const letters: Letter[] = answer.json()
    return letters.reverse()
  }
  let trials = 0
  return {
    shop,
    sandbox,
    pass,
    async member(plan = 4, card) {
      const buyer = await aBuyer(shop)
      const joined = (await buyer.ask('POST', '/api/subscriptions', { plan, startNow: true })).json()
      const secret: string = joined.paymentIntent
      const confirmed = await sandbox.confirm(
        { id: secret.split('_secret_')[0]!, clientSecret: secret },
        card,
      )
      if (confirmed.status === 'requires_action') await sandbox.decide(confirmed, 'approve')
      const member = memberOf(shop, buyer, joined.id)
      await member.settle()
      // The provider's clock has advanced meanwhile; catch up.
      await pass('PT0S')
      return member
    },
    async bank(member, says) {
      const { method } = await sandbox.billing.subscriptions.retrieve(await member.providerId())
      await sandbox.control(`payment_methods/${method!.id}`, { bank: says })
    },
    async trial() {
      const buyer = await aBuyer(shop)
      const path = '/api/subscriptions/create_trial_subscription'
      const begun = (await buyer.ask('POST', path, { startNow: true })).json()
      const secret: string = begun.paymentIntent
      const setUp = { id: secret.split('_secret_')[0]!, clientSecret: secret }
      await sandbox.confirmSetUp(setUp, CARDS[(trials += 1) - 1])
      await buyer.ask('POST', '/api/set_ups/return', { setupIntent: setUp.id, clientSecret: secret })
      await pass('PT0S')
      return memberOf(shop, buyer, begun.id)
    },
    async forget(member) {
      await sandbox.billing.subscriptions.end(await member.providerId())
      await shop.database.pool.query("update subscriptions set status = 'canceled' where id = $1", [
        member.id,
      ])
    },
    mailsTo: async (buyer) => (await lettersTo(buyer)).map(({ subject }) => subject),
    lettersTo,
    async close() {
      await shop.close()
      await sandbox.close()
    },
  }
}

/**
 * Memberships begin on 2 April of the year before a leap year, independent of the day of the run, so that month ends give
 * the same results every time. A month has then passed after 31 days; in a 31-day month it would depend on a second.
 */
function secondsToFirstDay(): number {
  const now = new Date()
  const years = [1, 2, 3, 4].map((ahead) => now.getUTCFullYear() + ahead)
  const year = years.find((each) => each % 4 === 3)!
  return Math.round((Date.UTC(year, 3, 2, 8) - now.getTime()) / 1000)
}

export function memberOf(shop: TestShop, buyer: Buyer, id: string): Member {
  // Log in for each request: months may pass between two requests.
  const ask: Buyer['ask'] = async (method, url, payload) =>
    shop.app.inject({
      method,
      url,
      headers: await signedIn(shop, buyer.user),
      ...(payload ? { payload } : {}),
    })
  async function providerId(): Promise<string> {
    const { rows } = await shop.database.pool.query<{ provider_id: string }>(
      'select provider_id from subscriptions where id = $1',
      [id],
    )
    return rows[0]!.provider_id
  }
  return {
    ...buyer,
    ask,
    id,
    current: async () => (await ask('GET', '/api/get-current-subscription')).json(),
    providerId,
    async settle() {
      await syncSubscription(shop, await providerId())
    },
  }
}
