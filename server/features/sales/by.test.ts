import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookPeople, books, publishers } from '#server/db/schema/catalogue.ts'
import { orderLines, orders, refunds } from '#server/db/schema/orders.ts'
import { people } from '#server/db/schema/people.ts'
import { HOLDER_KINDS, SALES_GROUPS } from '#contract/office/sales-groups.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/run-command.ts'
import { salesCommand } from '../../commands/sales.ts'
import { rightsHolders } from './rights-holders.ts'
import { salesBy, salesOf } from './service.ts'
import { type Sales } from './queries.ts'

interface Title {
  readonly id: number
  readonly title: string
}

let shop: TestShop
let titles: Title[]
beforeAll(async () => {
  shop = await testShop()
  const named = async (make: typeof anAudioBook, title: string) => ({
    ...(await make(shop, { title })),
    title,
  })
  titles = [
    await named(anAudioBook, 'Low Water'),
    await named(anEBook, 'Low Water in Print'),
    await named(anAudioBook, 'The Two Bells'),
  ]
  const names = ['Ida Frost', 'Nell Marram', 'Tom Quay'].map((name) => {
    const [firstName = '', lastName = ''] = name.split(' ')
    return { firstName, lastName, nameKey: name.toLowerCase() }
  })
  const [ida, nell, tom] = (await shop.db.insert(people).values(names).returning()).map(({ id }) => id)
  await shop.db.delete(bookPeople)
  const [one, print, two] = titles.map(({ id }) => id)
  await shop.db.insert(bookPeople).values([
    { bookId: one!, role: 'author', position: 0, personId: ida! },
    { bookId: one!, role: 'author', position: 1, personId: nell! },
    { bookId: one!, role: 'narrator', position: 0, personId: tom! },
    { bookId: print!, role: 'author', position: 0, personId: ida! },
    { bookId: two!, role: 'author', position: 0, personId: nell! },
  ])
  const [press] = await shop.db.insert(publishers).values({ slug: 'low-tide', name: 'Low Tide' }).returning()
  await shop.db.update(books).set({ publisherId: null })
  await shop.db.update(books).set({ publisherId: press!.id }).where(eq(books.id, one!))
})
afterAll(() => shop.close())

interface GivenLine {
  readonly book?: Title
  readonly membership?: boolean
  /** A gift membership; a title with `gift` is a gift too. */
  readonly givenMembership?: boolean
  readonly gift?: boolean
  readonly priceMinor: number
  /** Before a code; by default the price. */
  readonly originalMinor?: number
  readonly vatPercent: number
}
interface GivenOrder {
  readonly lines: readonly GivenLine[]
  readonly country?: string
  readonly code?: string | null
  readonly paidAt: string
  readonly back?: readonly { readonly minor: number; readonly line?: number; readonly at: string }[]
  /** A refund made in the provider's dashboard or by a dispute. */
  readonly backElsewhere?: number
  readonly dispute?: 'open' | 'won' | 'lost'
  /** An order without a payment: a free title, or one that was claimed with a credit or redeemed by a card. */
  readonly taken?: 'free' | 'credit' | 'card'
}

const soldOf = ({ membership, givenMembership, book }: GivenLine) =>
  membership
    ? { kind: 'membership' as const, plan: 1, title: 'Reader monthly' }
    : givenMembership
      ? {
          kind: 'membership_gift' as const,
          plan: 5,
          title: 'A year of Reader',
          giftDetails: { firstName: null, day: null, zone: 'Europe/London', christmas: false },
        }
      : { bookId: book!.id, title: book!.title }

async function anOrder({
  lines,
  country = 'GB',
  code = null,
  paidAt,
  back = [],
  backElsewhere = 0,
  dispute,
  taken,
}: GivenOrder) {
  const vatOf = ({ priceMinor, vatPercent }: GivenLine) =>
    priceMinor - Math.round((priceMinor * 100) / (100 + vatPercent))
  const totalMinor = lines.reduce((sum, { priceMinor }) => sum + priceMinor, 0)
  const [order] = await shop.db
    .insert(orders)
    .values({
      state: 'paid',
      fingerprint: '-',
      totalMinor,
      vatMinor: lines.reduce((sum, line) => sum + vatOf(line), 0),
      beforeDiscountMinor: totalMinor,
      refundedMinor: back.reduce((sum, { minor }) => sum + minor, backElsewhere),
      couponCode: code,
      buyerName: 'Una',
      buyerEmail: 'una@post.example',
      countryCode: country,
      paidAt: new Date(paidAt),
      ...(taken ? { taken } : {}),
      ...(dispute ? { dispute, disputedAt: dispute === 'open' ? new Date(paidAt) : null } : {}),
    })
    .returning()
  const rows = await shop.db
    .insert(orderLines)
    .values(
      lines.map((line, position) => ({
        orderId: order!.id,
        position,
        ...soldOf(line),
        ...(line.gift || line.givenMembership ? { gift: true, giftEmail: 'friend@post.example' } : {}),
        // A lost dispute or a refund in the dashboard returns the whole order, or the rest of it.
        ...(dispute === 'lost' ? { refundedAt: new Date(paidAt) } : {}),
        originalMinor: line.originalMinor ?? line.priceMinor,
        priceMinor: line.priceMinor,
        vatPercent: line.vatPercent,
        vatMinor: vatOf(line),
      })),
    )
    .returning()
  for (const [index, { minor, line, at }] of back.entries())
    await shop.db.insert(refunds).values({
      reason: 'owner',
      key: `${order!.id} ${index}`,
      orderId: order!.id,
      amountMinor: minor,
      lineIds: line === undefined ? null : [rows[line]!.id],
      state: 'done',
      createdAt: new Date(at),
      updatedAt: new Date(at),
    })
}

const sales = async (...argv: string[]) =>
  (await typed(shop, salesCommand, argv)).said.split('\n').map((line) => line.split(/\s{2,}/))

test('sums sales by title, publisher, author, narrator, code and VAT rate of each country', async () => {
  const [water, print, bells] = titles as [Title, Title, Title]
  await anOrder({
    paidAt: '2026-01-05T10:00:00Z',
    code: 'TIDE',
    lines: [
      { book: water, priceMinor: 1201, vatPercent: 20 },
      { book: print, priceMinor: 600, vatPercent: 0 },
    ],
    back: [{ minor: 600, line: 1, at: '2026-02-01T10:00:00Z' }],
  })
  await anOrder({
    paidAt: '2026-03-31T10:00:00Z',
    country: 'IE',
    lines: [
      { book: bells, priceMinor: 1230, vatPercent: 23 },
      { membership: true, priceMinor: 799, vatPercent: 23 },
    ],
    // A partial refund of no particular line.
    backElsewhere: 100,
  })
  await anOrder({ paidAt: '2026-04-01T10:00:00Z', lines: [{ book: bells, priceMinor: 999, vatPercent: 20 }] })

  expect(await sales('--quarter', '2026-Q1', '--by', 'rate')).toEqual([
    [
      'VAT rate',
      'Orders',
      'With VAT',
      'VAT in it',
      'Free of VAT',
      'Paid back',
      'VAT in that',
      'Left',
      'VAT due',
    ],
    ['IE 23%', '1', '£20.29', '£3.79', '£0.00', '£1.00', '£0.19', '£19.29', '£3.60'],
    ['GB 20%', '1', '£12.01', '£2.00', '£0.00', '£0.00', '£0.00', '£12.01', '£2.00'],
    ['GB 0%', '1', '£0.00', '£0.00', '£6.00', '£6.00', '£0.00', '£0.00', '£0.00'],
    ['Total', '2', '£32.30', '£5.79', '£6.00', '£7.00', '£0.19', '£31.30', '£5.60'],
  ])
  const left = async (by: string) =>
    (await sales('--quarter', '2026-Q1', '--by', by)).slice(1, -1).map((line) => `${line[0]} ${line[7]}`)
  expect(await left('title')).toEqual([
    'Low Water (audiobook) £12.01',
    'The Two Bells (audiobook) £11.69',
    'Membership: Reader monthly £7.60',
    'Low Water in Print (e-book) £0.00',
  ])
  expect(await left('country')).toEqual(['IE £19.29', 'GB £12.01'])
  expect(await left('publisher')).toEqual(['Low Tide £12.01', 'no publisher £11.69', 'memberships £7.60'])
  // Each author gets half of Low Water; the first author gets the odd penny.
  expect(await left('author')).toEqual(['Nell Marram £17.69', 'memberships £7.60', 'Ida Frost £6.01'])
  expect(await left('narrator')).toEqual(['Tom Quay £12.01', 'no narrator £11.69', 'memberships £7.60'])
  expect(await left('code')).toEqual(['no code £19.29', 'TIDE £12.01'])

  const { said } = await typed(shop, salesCommand, ['--quarter', '2026-Q1', '--by', 'country', '--csv'])
  expect(said.split('\n')[1]).toBe('IE,1,20.29,3.79,0,1,0.19,19.29,3.6')
  const json = JSON.parse(
    (await typed(shop, salesCommand, ['--quarter', '2026-Q1', '--by', 'country', '--json'])).said,
  )
  expect(json).toMatchObject({
    from: '2026-01-01',
    to: '2026-03-31',
    groups: [{ name: 'IE' }, { name: 'GB' }],
  })
  await expect(sales('--by', 'colour')).rejects.toThrow('Allowed choices are title, publisher')
  await expect(sales('--quarter', '2026-5')).rejects.toThrow('A quarter is written 2026-Q4')
})

test('a partial refund of one line counts at that line, with its VAT rate', async () => {
  const [water, print] = titles as [Title, Title, Title]
  await anOrder({
    paidAt: '2025-02-01T10:00:00Z',
    country: 'IE',
    lines: [
      { book: water, priceMinor: 1399, vatPercent: 23 },
      { book: print, priceMinor: 649, vatPercent: 9 },
    ],
    back: [{ minor: 300, line: 0, at: '2025-02-02T10:00:00Z' }],
  })
  const back = async (...argv: string[]) =>
    (await sales('--quarter', '2025-Q1', ...argv)).slice(1).map((line) => `${line[0]} ${line[5]} ${line[6]}`)
  expect(await back('--by', 'rate')).toEqual(['IE 23% £3.00 £0.56', 'IE 9% £0.00 £0.00', 'Total £3.00 £0.56'])
  expect(await back('--by', 'title')).toEqual([
    'Low Water (audiobook) £3.00 £0.56',
    'Low Water in Print (e-book) £0.00 £0.00',
    'Total £3.00 £0.56',
  ])
  expect(await back()).toEqual(['2025-02-01 £0.00 £0.00', '2025-02-02 £3.00 £0.56', 'Total £3.00 £0.56'])
})

test('sales in every grouping add up to the sales by day', async () => {
  const random = randomNumbers()
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const moment = () => new Date(Date.UTC(2027, 0, 1) + upTo(120) * 43_200_000).toISOString()
  for (let index = 0; index < (process.env.LONG ? 500 : 60); index++) {
    const lines = Array.from({ length: 1 + upTo(3) }, () => ({
      ...one<Partial<GivenLine>>([
        { membership: true },
        { givenMembership: true },
        { book: one(titles), gift: true },
        { book: one(titles) },
        { book: one(titles) },
      ]),
      priceMinor: random() < 0.2 ? 0 : upTo(2500),
      vatPercent: one([0, 9, 20, 23]),
    }))
    if (random() < 0.1) {
      const free = lines.map((line) => ({ ...line, priceMinor: 0 }))
      await anOrder({ lines: free, taken: one(['free', 'credit', 'card']), paidAt: moment() })
      continue
    }
    const total = lines.reduce((sum, { priceMinor }) => sum + priceMinor, 0)
    const line = upTo(lines.length - 1)
    const whole = lines[line]!.priceMinor
    const back = [
      ...(random() < 0.4 && whole > 0
        ? [{ minor: random() < 0.5 ? whole : 1 + upTo(whole - 1), line, at: moment() }]
        : []),
      ...(random() < 0.2 && total - whole > 1 ? [{ minor: 1 + upTo(total - whole - 2), at: moment() }] : []),
    ]
    const rest = total - back.reduce((sum, { minor }) => sum + minor, 0)
    await anOrder({
      lines,
      country: one(['GB', 'IE', 'FR']),
      code: one([null, 'TIDE']),
      paidAt: moment(),
      back,
      ...one([
        {},
        {},
        { backElsewhere: upTo(rest) },
        { dispute: 'open' as const },
        { dispute: 'won' as const },
        // The bank took the rest of the payment.
        { dispute: 'lost' as const, backElsewhere: rest },
      ]),
    })
  }
  const figures = ['taxedMinor', 'vatMinor', 'untaxedMinor', 'backMinor', 'backVatMinor'] as const
  for (const [from, to] of [
    ['2027-01-01', '2027-03-31'],
    ['2027-01-20', '2027-02-03'],
    ['2026-01-01', '2027-12-31'],
  ] as const) {
    const { total } = await salesOf(shop, { from, to })
    expect(total.backVatMinor).toBeGreaterThan(0)
    expect(total.untaxedMinor).toBeGreaterThan(0)
    for (const by of SALES_GROUPS) {
      const grouped = await salesBy(shop, { from, to, by })
      const added = Object.fromEntries(
        figures.map((figure) => [figure, grouped.groups.reduce((sum, group) => sum + group[figure], 0)]),
      ) as unknown as Sales
      expect({ by, ...added, orders: grouped.total.orders }).toEqual({ by, ...total })
      expect(grouped.total).toMatchObject(total)
    }
    for (const by of HOLDER_KINDS) {
      const { groups } = await salesBy(shop, { from, to, by })
      const holders = await rightsHolders(shop, { from, to, by })
      const left = ({ taxedMinor, untaxedMinor, backMinor }: Omit<Sales, 'orders'>) =>
        taxedMinor + untaxedMinor - backMinor
      const isInMoney = (sums: Pick<Sales, 'backMinor'> & { readonly copies: number }) =>
        sums.copies > 0 || sums.backMinor > 0
      expect(
        Object.fromEntries(
          holders
            .filter((holder) => isInMoney(holder.total))
            .map((holder) => [holder.name, left(holder.total)]),
        ),
      ).toEqual(
        Object.fromEntries(
          groups
            .filter((group) => group.name !== 'memberships' && isInMoney(group))
            .map((group) => [group.name, left(group)]),
        ),
      )
      for (const holder of holders)
        expect(holder.titles.reduce((sum, title) => sum + left(title), 0)).toBe(left(holder.total))
    }
  }
  // The same sums straight from the orders, without lines, shares or days.
  const all = await shop.db.select().from(orders)
  const sold = all.filter(
    ({ taken, totalMinor, paidAt }) => taken === null && totalMinor > 0 && paidAt!.getUTCFullYear() >= 2026,
  )
  const { total } = await salesOf(shop, { from: '2026-01-01', to: '2027-12-31' })
  expect(total.taxedMinor + total.untaxedMinor).toBe(sold.reduce((sum, order) => sum + order.totalMinor, 0))
  expect(total.backMinor).toBe(sold.reduce((sum, order) => sum + order.refundedMinor, 0))
})

test('OFFICE-56: a rights holder sees free audiobooks, cards, gifts of the shop and what codes took off', async () => {
  const [water, , bells] = titles as [Title, Title, Title]
  const given = (taken: 'free' | 'credit' | 'card') =>
    anOrder({
      paidAt: '2025-05-02T10:00:00Z',
      taken,
      lines: [{ book: water, priceMinor: 0, vatPercent: 20 }],
    })
  await given('credit')
  await given('credit')
  await given('card')
  await given('free')
  await anOrder({
    paidAt: '2025-05-03T10:00:00Z',
    lines: [
      { book: water, priceMinor: 901, originalMinor: 1201, vatPercent: 20 },
      { book: bells, priceMinor: 999, vatPercent: 20 },
    ],
  })
  const [first, second, ...others] = await rightsHolders(shop, {
    from: '2025-05-01',
    to: '2025-05-31',
    by: 'author',
  })
  expect(others).toEqual([])
  // Two authors of one title: half the money each, the odd penny to the first; the copies count for both.
  expect(first).toMatchObject({
    name: 'Nell Marram',
    titles: [{ title: 'The Two Bells (audiobook)' }, { title: 'Low Water (audiobook)', taxedMinor: 450 }],
    total: { copies: 2, credits: 2, cards: 1, free: 1, taxedMinor: 999 + 450, beforeMinor: 999 + 600 },
  })
  expect(second).toMatchObject({
    name: 'Ida Frost',
    total: { copies: 1, credits: 2, cards: 1, free: 1, taxedMinor: 451, beforeMinor: 601 },
  })
  const publishersOnly = await rightsHolders(shop, { from: '2025-05-01', to: '2025-05-31', by: 'publisher' })
  expect(publishersOnly.map(({ name }) => name)).toEqual(['no publisher', 'Low Tide'])
})
