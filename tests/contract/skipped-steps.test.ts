import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { auditAll } from '#server/features/audit/service.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { membersShop, type MembersShop } from '#tests/support/members.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { accessOfCalls } from './calls.ts'
import { bodyFor, callsOnMembership } from './generated-bodies.ts'
import { describedApi, type Described } from './reply-schema.ts'
import type { World } from './world.ts'

/**
 * Makes each call about a membership right after one was created, before it was paid or its card was checked, with a card
 * that has already had its trial. Generated from the contract, so new calls with an id are included.
 */
const SAMPLE = process.env.LONG ? Infinity : 6
vi.setConfig({ testTimeout: 900_000 })

/** The sandbox's first card, which has already had its trial. */
const USED_CARD = 'pm_card_visa'

let all: MembersShop
let described: Described
let later: string[]
beforeAll(async () => {
  all = await membersShop()
  described = await describedApi({ shop: all.shop } as World)
  await all.trial()
  const random = randomNumbers()
  const names = callsOnMembership((await accessOfCalls(all.shop)).keys())
  if (names.length < 6) throw new Error(`Only ${names.length} calls are about a membership.`)
  later = names
    .map((name) => ({ name, at: random() }))
    .toSorted((one, two) => one.at - two.at)
    .slice(0, SAMPLE)
    .map(({ name }) => name)
})
afterAll(() => all?.close())

const BEGINNINGS: readonly (readonly [name: string, url: string, payload: object])[] = [
  ['a trial', '/api/subscriptions/create_trial_subscription', { startNow: true }],
  ['a membership', '/api/subscriptions', { plan: 4, startNow: true }],
]
const options = { signal: new AbortController().signal, paceMs: 0, secondLookMs: 0 }

test.each(BEGINNINGS)(
  'after %s was created, no later call grants what was not paid for or not allowed',
  async (_what, url, payload) => {
    const { slug } = await anAudioBook(all.shop, { priceMinor: 1200, secondEdition: true })
    for (const name of later) {
      await all.shop.db.delete(rateLimits)
      const buyer = await aBuyer(all.shop, { confirmedAt: all.shop.now() })
      const begun = await buyer.ask('POST', url, payload)
      expect(begun.statusCode, begun.body).toBe(201)
      const [method, path] = name.split(' ') as [NonNullable<InjectOptions['method']>, string]
      const answer = await buyer.ask(
        method,
        path.replace('{id}', begun.json().id),
        bodyFor(described, name, USED_CARD),
      )
      expect(answer.statusCode, `${name}: ${answer.body}`).toBeLessThan(500)
      await buyer.ask('POST', `/api/audio_books/add-to-library/${slug}`, { waiver: true })
      const { findings } = await auditAll(all.shop, options)
      expect([name, findings.map(({ key }) => key)]).toEqual([name, []])
      const owned = await all.shop.db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))
      const isPaid = (await buyer.ask('GET', '/api/get-current-subscription')).json()?.status === 'active'
      // With a valid card, a late payment is allowed.
      expect([name, owned]).toEqual([name, isPaid ? owned : 0])
    }
  },
)
