import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { cardActivations, cards, outletLines } from '#server/db/schema/cards.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { orders } from '#server/db/schema/orders.ts'
import { Refusal } from '#server/http/http-errors.ts'
import { aBuyer, type Buyer, payingShop, type PayingShop } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard, type Bookshop, type TestCard } from '#tests/support/cards.ts'
import { heardStatements } from '#tests/support/statement-log.ts'
import { thePlug } from '#tests/support/network-switch.ts'
import { replaceCard } from './create-cards.ts'
import { redeem } from './redemption.ts'
import { activate, takeBack } from './point-of-sale.ts'

const LONG = Boolean(process.env.LONG)
const LONGEST = { timeout: LONG ? 3_600_000 : 300_000 }

let at: PayingShop
let corner: Bookshop
const plug = thePlug()
beforeAll(async () => {
  at = await payingShop()
  corner = await aBookshop(at.shop)
  at.shop.app.log.level = 'silent'
})
beforeEach(async () => void (await at.shop.db.delete(rateLimits)))
afterEach(() => void plug.disarm())
afterAll(async () => {
  plug.remove()
  await at.shop.close()
})

let addresses = 0
/** Each request has its own IP address, so that no rate limit applies. */
const redeeming = (reader: Pick<Buyer, 'user'>, { code }: TestCard) =>
  redeem(at.shop, {
    code,
    spiSin: undefined,
    address: `2001:db8:${(addresses += 1).toString(16)}::1`,
    userId: reader.user.id,
    country: 'GB',
  })
const activating = ({ number }: TestCard) =>
  activate(at.shop, {
    token: number,
    outletId: corner.outletId,
    userId: corner.user.id,
    address: `2001:db8:ffff:${(addresses += 1).toString(16)}::1`,
    buyerEmail: null,
  })
const stateOf = async ({ id }: TestCard) => {
  const [card] = await at.shop.db.select().from(cards).where(eq(cards.id, id))
  return card!
}
const holdersOf = async ({ book }: TestCard) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.bookId, book.id))).map(
    ({ userId }) => userId,
  )
const linesOf = async (activationId: string) =>
  (await at.shop.db.select().from(outletLines).where(eq(outletLines.activationId, activationId))).map(
    ({ amountMinor }) => amountMinor,
  )
const wordsOf = (result: PromiseSettledResult<unknown>): string => {
  if (result.status === 'fulfilled') return 'done'
  if (result.reason instanceof Refusal) return result.reason.message
  throw result.reason
}
const race = async (one: Promise<unknown>, other: Promise<unknown>) =>
  (await Promise.allSettled([one, other])).map(wordsOf)

test(
  'API-92: if 50 readers redeem one card at once, one gets it, and the others are told so',
  LONGEST,
  async () => {
    const readers: Buyer[] = []
    for (let each = 0; each < 50; each += 1) readers.push(await aBuyer(at.shop))
    for (let round = 0; round < (LONG ? 100 : 2); round += 1) {
      const card = await aCard(at.shop)
      await activating(card)
      const told = (await Promise.allSettled(readers.map((reader) => redeeming(reader, card)))).map(wordsOf)
      expect(told.filter((words) => words === 'done')).toHaveLength(1)
      expect(told.filter((words) => words === 'already_redeemed')).toHaveLength(49)
      const { redeemedBy } = await stateOf(card)
      expect(await holdersOf(card)).toEqual([redeemedBy])
      expect(redeemedBy).toBe(readers[told.indexOf('done')]!.user.id)
    }
  },
)

test(
  'activating and redeeming a card at the same time gives both sides a consistent result',
  LONGEST,
  async () => {
    const reader = await aBuyer(at.shop)
    for (let round = 0; round < (LONG ? 100 : 5); round += 1) {
      // A redemption that is too early counts as a failed guess, and an account has twenty guesses a day.
      await at.shop.db.delete(rateLimits)
      const card = await aCard(at.shop)
      const [sold, redeemed] = await race(activating(card), redeeming(reader, card))
      expect(sold).toBe('done')
      expect(['done', 'card_not_activated']).toContain(redeemed)
      expect(await holdersOf(card)).toHaveLength(redeemed === 'done' ? 1 : 0)
      expect((await stateOf(card)).redeemedAt !== null).toBe(redeemed === 'done')
    }
  },
)

test('two simultaneous sales at a point of sale sell a card once', LONGEST, async () => {
  for (let round = 0; round < (LONG ? 100 : 5); round += 1) {
    const card = await aCard(at.shop)
    expect((await race(activating(card), activating(card))).toSorted()).toEqual([
      'card_already_activated',
      'done',
    ])
    expect(await at.shop.db.$count(cardActivations, eq(cardActivations.cardId, card.id))).toBe(1)
  }
})

test(
  'a card that is taken back and redeemed at the same time ends in one of the two states',
  LONGEST,
  async () => {
    const reader = await aBuyer(at.shop)
    for (let round = 0; round < (LONG ? 100 : 6); round += 1) {
      await at.shop.db.delete(rateLimits)
      const card = await aCard(at.shop)
      const { activation } = await activating(card)
      const back = () => takeBack(at.shop, { id: activation.id, outletId: corner.outletId })
      const outcome =
        round % 2 === 0
          ? await race(back(), redeeming(reader, card))
          : (await race(redeeming(reader, card), back())).toReversed()
      expect([
        ['done', 'card_not_activated'],
        ['already_redeemed', 'done'],
      ]).toContainEqual(outcome)
      const isRedeemed = outcome[1] === 'done'
      expect(await holdersOf(card)).toHaveLength(isRedeemed ? 1 : 0)
      const owed = (await linesOf(activation.id)).reduce((sum, each) => sum + each, 0)
      expect(owed).toBe(isRedeemed ? 480 : 0)
    }
  },
)

test(
  'a card that is replaced and redeemed at the same time ends in one of the two states',
  LONGEST,
  async () => {
    const reader = await aBuyer(at.shop)
    for (let round = 0; round < (LONG ? 100 : 6); round += 1) {
      await at.shop.db.delete(rateLimits)
      const card = await aCard(at.shop)
      const { activation } = await activating(card)
      const replacing = replaceCard(at.shop, card.number)
      const outcome = await race(replacing, redeeming(reader, card))
      expect([
        ['done', 'Not Found'],
        ['Somebody redeemed it already.', 'done'],
      ]).toContainEqual(outcome)
      const isReplaced = outcome[0] === 'done'
      expect(await holdersOf(card)).toHaveLength(isReplaced ? 0 : 1)
      expect(await linesOf(activation.id)).toEqual([480])
      if (isReplaced) {
        const { card: printed } = await replacing
        await redeeming(reader, { ...card, code: printed.code })
      }
      expect(await holdersOf(card)).toEqual([reader.user.id])
    }
  },
)

test('a reader who redeems two cards for one title at once spends one of them', LONGEST, async () => {
  for (let round = 0; round < (LONG ? 100 : 4); round += 1) {
    const [reader, book] = [await aBuyer(at.shop), await anAudioBook(at.shop, { priceMinor: 1200 })]
    const pair = [await aCard(at.shop, { book }), await aCard(at.shop, { book })] as const
    for (const card of pair) await activating(card)
    const told = await race(redeeming(reader, pair[0]), redeeming(reader, pair[1]))
    expect(told.toSorted()).toEqual(['already_owned', 'done'])
    const spent = (await Promise.all(pair.map(stateOf))).filter(({ redeemedAt }) => redeemedAt !== null)
    expect(spent).toHaveLength(1)
    const taken = and(eq(orders.userId, reader.user.id), eq(orders.taken, 'card'))
    expect(await at.shop.db.$count(orders, taken)).toBe(1)
  }
})

/** Runs the function repeatedly, each time interrupted one statement later, until it succeeds. */
async function cutAtEveryStatement(
  work: () => Promise<unknown>,
  after: (statements: number) => Promise<void>,
): Promise<number> {
  for (let statements = 0; ; statements += 1) {
    plug.armAfter(statements)
    const problem = await work().catch((error: unknown) => error)
    const wasCut = plug.disarm()
    await after(statements)
    if (wasCut) continue
    if (problem instanceof Error) throw problem
    return statements
  }
}

test(
  'a server that is killed at any statement of a redemption never spends a code without delivering the book',
  LONGEST,
  async () => {
    const [card, reader] = [await aCard(at.shop), await aBuyer(at.shop)]
    await activating(card)
    const cut = await cutAtEveryStatement(
      async () => {
        const told = (await race(redeeming(reader, card), Promise.resolve()))[0]
        expect(['done', 'redeemed_by_you']).toContain(told)
      },
      async () => {
        const isSpent = (await stateOf(card)).redeemedAt !== null
        expect(await holdersOf(card)).toEqual(isSpent ? [reader.user.id] : [])
      },
    )
    expect(cut).toBeGreaterThan(15)
    expect(await at.shop.db.$count(orders, eq(orders.userId, reader.user.id))).toBe(1)
  },
)

test(
  'a server that is killed at any statement of a sale sells the card once, with its statement line, or not at all',
  LONGEST,
  async () => {
    const card = await aCard(at.shop)
    const cut = await cutAtEveryStatement(
      async () => {
        const told = (await race(activating(card), Promise.resolve()))[0]
        expect(['done', 'card_already_activated']).toContain(told)
      },
      async () => {
        const sold = await at.shop.db
          .select()
          .from(cardActivations)
          .where(eq(cardActivations.cardId, card.id))
        expect(sold.length).toBeLessThan(2)
        for (const { id } of sold) expect(await linesOf(id)).toEqual([480])
      },
    )
    expect(cut).toBeGreaterThan(6)
  },
)

test('a wrong code, an unsold card’s code and another title’s code run the same statements', async () => {
  const [book, other] = [
    await anAudioBook(at.shop, { spiSin: '9001000000555' }),
    await anAudioBook(at.shop, { spiSin: '9001000000666' }),
  ]
  const [unsold, elsewhere] = [await aCard(at.shop, { book }), await aCard(at.shop, { book: other })]
  await activating(elsewhere)
  const reader = await aBuyer(at.shop)
  // The session is cached, so only the first request queries it.
  await reader.ask('GET', '/api/logged-user')
  const heard = new Map<string, string[]>()
  for (const [name, code] of [
    ['wrong', 'ABCD-EFGH-JKMN-PQRST'],
    ['no code at all', '?'],
    ['not sold', unsold.code],
    ['another title', elsewhere.code],
  ] as const) {
    for (const way of ['look', 'redeem'] as const) {
      const statements = await heardStatements(() =>
        at.shop.app.inject({
          method: way === 'look' ? 'GET' : 'POST',
          url:
            way === 'look'
              ? `/api/redemption_codes/${encodeURIComponent(code)}?spiSIN=9001000000555`
              : `/api/redemption_codes/add_to_library_with_code/${encodeURIComponent(code)}`,
          headers: reader.headers,
          ...(way === 'look' ? {} : { payload: { audioBook: { spiSIN: '9001000000555' } } }),
        }),
      )
      heard.set(`${way}: ${name}`, statements)
    }
  }
  for (const way of ['look', 'redeem']) {
    const wrong = heard.get(`${way}: wrong`)!
    expect(wrong.length).toBeGreaterThan(1)
    for (const name of ['no code at all', 'not sold', 'another title'])
      expect(heard.get(`${way}: ${name}`), `${way}: ${name}`).toEqual(wrong)
  }
})
