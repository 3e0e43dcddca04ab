import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SHOP_PARTS, type ShopFile, type ShopPart } from '#contract/shop-details.ts'
import { PLANS } from '#contract/plans.ts'
import { loadDetails, storeDetails } from '#server/db/shop-queries.ts'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { books, publishers } from '#server/db/schema/catalogue.ts'
import { editorialItems } from '#server/db/schema/editorial.ts'
import { faqCategories, faqs, homePanels, infoPages, menuEntries } from '#server/db/schema/pages.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import { renderMail } from '#server/integrations/mail/render.ts'
import type { MailKind } from '#server/integrations/mail/kinds.ts'
import { inProcess } from '#server/pages/renderer.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { MAIL_SAMPLES } from '#server/integrations/mail/samples.ts'
import { render } from '../../src/entry-server.tsx'
import { buildWorld, type World } from './world.ts'

let world: World
let minute = 0
beforeAll(async () => {
  world = await buildWorld()
  const { db } = world.shop
  await db.update(books).set({ edition: true, memoir: true, availableAsCard: true, memberPriceMinor: 100 })
  await db.update(editorialItems).set({ featured: true, searchText: null })
  await db.execute(sql`insert into book_editorial (book_id, item_id, position)
    select ${world.audioBook.id}, id, 1 from editorial_items`)
  const panels = ['curatedIntroPicks', 'editions', 'murmurations', 'howItWorks', 'currentHighlights']
  await db
    .insert(homePanels)
    .values(panels.map((section, weight) => ({ section, title: TITLES[section] ?? 'A panel', weight })))
  const [category] = await db
    .insert(faqCategories)
    .values({ name: 'Asked', position: 1 })
    .returning({ id: faqCategories.id })
  const asked = SHOP_PARTS.map((part) => [part, part] as const)
  await db.insert(faqs).values(
    [...asked, [null, 'everything'] as const].map(([part, about], position) => ({
      categoryId: category!.id,
      position,
      question: `Asked about ${about}?`,
      answer: 'Yes.',
      part,
    })),
  )
  await db.insert(infoPages).values({ slug: 'of-cards', title: 'Of cards', content: '', part: 'cards' })
  await db.insert(menuEntries).values(
    // The targets of an owner's menu: shelves and pages.
    [...new Set(Object.values(WITHOUT).flatMap(({ pages }) => pages)), '/faq']
      .filter((url) => !/^\/(audio|e)books\/|-(article|interview|discussion)$/.test(url))
      .map((url, position) => ({ menu: 'main' as const, group: 'All', position, title: `To ${url}`, url })),
  )
  await refreshSearch(world.shop.db)
})
beforeEach(() => world.shop.db.delete(rateLimits))
afterAll(() => world.shop.close())

const TITLES: Readonly<Record<string, string>> = {
  editions: 'Our editions',
  murmurations: 'From the Gazette',
}

/** Changes the owner's settings through the file. */
async function doWithout(...parts: readonly ShopPart[]) {
  const { db, config, answers } = world.shop
  const off = Object.fromEntries(parts.map((part) => [part, false]))
  const file: ShopFile = { name: 'Harbour Lane', journal: 'The Gazette', parts: off }
  minute += 1
  const writtenAt = new Date(Date.UTC(2026, 2, 2, 8, minute))
  await storeDetails(db, { file, pictures: {}, version: `v${minute}` }, writtenAt)
  await loadDetails(db, config.details)
  answers.clear()
}

const get = (url: string, headers: Record<string, string> = {}) => world.shop.app.inject({ url, headers })

async function page(url: string) {
  const { app, config } = world.shop
  const drawn = await render({
    url,
    origin: 'http://shop',
    fetch: inProcess(app, { country: 'GB', address: '192.0.2.1' }),
    details: config.details.ofPages,
  })
  if (drawn.redirect !== undefined) throw new Error(`${url} leads to ${drawn.redirect}`)
  return drawn
}

/** All text of a page, including labels and link targets. */
const wordsOf = (html: string) =>
  [
    html.replaceAll(/<[^>]*>/g, ' '),
    ...[...html.matchAll(/\b(?:aria-label|alt|content|title|placeholder|href)="([^"]*)"/g)].map(
      ([, words = '']) => words,
    ),
  ].join('\n')

interface Without {
  readonly pages: readonly string[]
  readonly calls: readonly (readonly [method: 'GET' | 'POST', url: string, body?: object])[]
  /** A shop without this part has no text that matches. */
  readonly words: RegExp
}
const plan = PLANS[4].id
const gift = { plan, giftEmail: 'friend@post.example', giftKey: '7b0c36b5-3f0f-4f6b-9c3c-0a3b3f3f3f3f' }
const giver = { email: 'a@post.example', firstName: 'A', lastName: 'B' }

const WITHOUT: Readonly<Record<ShopPart, Without>> = {
  membership: {
    pages: ['/subscription', '/membership', '/free-trial', '/gift', '/xmas'],
    calls: [
      ['POST', '/api/subscriptions', { plan }],
      ['POST', '/api/subscriptions', { ...gift, gift: true }],
      ['POST', '/api/subscriptions/create_trial_subscription', {}],
      ['POST', '/api/subscriptions/create-without-payment', { plan, couponCode: 'FREE' }],
      ['POST', '/api/subscriptions/give', { ...gift, giver }],
      ['POST', '/api/subscriptions/gift-check', { email: 'a@post.example' }],
      ['GET', '/api/plan_prices'],
      ['GET', '/api/membership_pages'],
      ['GET', '/api/discounts/WELCOME/sub-apply-coupon?plan=4'],
    ],
    words: /\bmembers?(hips?)?\b|\btrial\b|subscription(?!-details)/i,
  },
  trial: {
    pages: ['/free-trial'],
    calls: [['POST', '/api/subscriptions/create_trial_subscription', {}]],
    words: /\btrial\b/i,
  },
  membershipGifts: {
    pages: ['/gift', '/xmas'],
    calls: [
      ['POST', '/api/subscriptions', { ...gift, gift: true }],
      ['POST', '/api/subscriptions/give', { ...gift, giver }],
      ['POST', '/api/subscriptions/gift-check', { email: 'a@post.example' }],
    ],
    words: /give a membership|plans &amp; gifts|^\/gift(?!s)|christmas|xmas/im,
  },
  christmas: {
    pages: ['/xmas'],
    calls: [
      ['POST', '/api/subscriptions', { ...gift, gift: true, christmas: true }],
      ['POST', '/api/subscriptions/give', { ...gift, giver, christmas: true }],
    ],
    words: /christmas|xmas/i,
  },
  cards: {
    pages: ['/audiobooks-in-a-card', '/reseller', '/info/of-cards'],
    calls: [
      ['POST', '/api/audiobook-cards/activate', { token: '482100577731' }],
      ['GET', '/api/outlet/additions'],
      ['GET', '/api/info_pages/of-cards'],
    ],
    words: /booksellers|bookshops?\b|in a card|reseller|of cards|redemption/i,
  },
  journal: {
    pages: [
      '/murmurations',
      '/articles',
      '/articles/an-article',
      '/interviews',
      '/interviews/an-interview',
      '/discussions',
      '/discussions/a-discussion',
      '/search-articles',
    ],
    calls: [
      ['GET', '/api/articles'],
      ['GET', '/api/articles/an-article'],
      ['GET', '/api/interviews'],
      ['GET', '/api/discussions'],
      ['GET', '/api/murmurations'],
      ['GET', '/api/types/murmurations'],
      ['GET', '/api/murmuration_blocks'],
      ['GET', '/api/audio_books/an-audiobook/murmurations'],
      ['GET', '/feeds/articles.xml'],
      ['GET', '/feeds/interviews.xml'],
    ],
    words: /gazette|journal|murmurations|articles?\b|podcast|an-article/i,
  },
  editions: { pages: ['/editions'], calls: [], words: /editions/i },
  audiobooks: {
    pages: [
      '/audiobooks',
      '/audiobooks/an-audiobook',
      '/subscriber-selection',
      '/astonishing-memoirs',
      '/writers-dilemma',
      '/audiobooks-in-a-card',
      '/subscription',
    ],
    calls: [
      ['GET', '/api/audio_books'],
      ['GET', '/api/audio_books/latest'],
      ['GET', '/api/audio_books/second_editions'],
      ['GET', '/api/audio_books/an-audiobook'],
      ['GET', '/opds/audiobooks'],
      ['GET', '/opds/audiobooks/an-audiobook'],
      ['POST', '/api/subscriptions', { plan }],
    ],
    words: /audiobooks?\b/i,
  },
  eBooks: {
    pages: ['/ebooks', '/ebooks/an-e-book'],
    calls: [
      ['GET', '/api/e_books'],
      ['GET', '/api/e_books/an-e-book'],
      ['GET', '/opds/ebooks'],
      ['GET', '/opds/ebooks/an-e-book'],
    ],
    words: /e-?books?\b/i,
  },
  payPal: { pages: [], calls: [], words: /paypal/i },
}

/** Every public page that this world's shop has with all its parts. */
const PUBLIC = [
  '/',
  '/browse',
  '/faq',
  '/search-books',
  '/search-books?keyword=written',
  '/publishers',
  '/publishers/a-publisher',
  '/series/a-series',
  '/people/ada-reed',
  '/newsletter-signup',
  '/withdraw',
  '/info/a-page',
  '/nothing-here',
  // The old address of the membership redirects to the new one.
  ...new Set(Object.values(WITHOUT).flatMap(({ pages }) => pages.filter((path) => path !== '/membership'))),
]
const PLAIN_MAILS: readonly MailKind[] = [
  'confirm_address',
  'newsletter_welcome',
  'order_confirmed',
  'series_next',
  'email_changed',
]

test('a shop with all its parts has every page that these tests check', async () => {
  await doWithout()
  for (const path of PUBLIC.filter((each) => !/^\/(nothing-here|free-trial)$/.test(each)))
    expect((await page(path)).status, path).toBe(200)
  const home = wordsOf((await page('/')).app)
  for (const words of ['Our editions', 'From the Gazette', 'membership', 'For booksellers'])
    expect(home).toContain(words)
})

test.each(SHOP_PARTS)(
  'without %s its pages and calls are not there, and nothing speaks of it',
  async (part) => {
    const { pages, calls, words } = WITHOUT[part]
    await doWithout(part)
    const user = world.headersOf('stranger')
    for (const path of pages) {
      const { status, app, head } = await page(path)
      expect(status, path).toBe(404)
      expect(wordsOf(head + app), path).not.toMatch(words)
    }
    for (const [method, url, payload] of calls) {
      const headers = url.includes('card') || url.includes('outlet') ? world.headersOf('outlet') : user
      const answer = await world.shop.app.inject({ method, url, headers, ...(payload && { payload }) })
      expect(`${answer.statusCode} ${url}`).toBe(`404 ${url}`)
    }
    for (const path of PUBLIC.filter((each) => !pages.includes(each))) {
      const { app, head } = await page(path)
      const said = wordsOf(head + app)
        .split('\n')
        .flatMap((line) => line.split(/ {2,}/))
        .filter((line) => words.test(line))
      expect(said, path).toEqual([])
    }
    for (const url of ['/sitemap.xml', '/sitemaps/pages.xml', '/opds'])
      expect((await get(url)).body, url).not.toMatch(words)
    for (const url of ['/api/menu_entries', '/api/f_a_q_categories', '/api/searches?keyword=written'])
      for (const named of [...pages.map((path) => `"${path}"`), `Asked about ${part}?`])
        expect((await get(url)).body, url).not.toContain(named)
    for (const kind of PLAIN_MAILS) {
      const letter = { id: 'm', kind, recipient: 'una@post.example', data: MAIL_SAMPLES[kind].data }
      expect(renderMail(letter, world.shop.config)!.text, kind).not.toMatch(words)
    }
  },
)

test('without audiobooks a publisher’s page has its e-books as the server sends it', async () => {
  const { db } = world.shop
  const [publisher] = await db.select({ id: publishers.id }).from(publishers)
  await db.update(books).set({ publisherId: publisher!.id }).where(eq(books.id, world.eBook.id))
  await doWithout('audiobooks')
  expect(wordsOf((await page('/publishers/a-publisher')).app)).toContain('/ebooks/an-e-book')
  await db.update(books).set({ publisherId: null })
})

test('a book of a disabled format is in no list, search, series or bag, even if it is imported later', async () => {
  await doWithout('eBooks')
  await anEBook(world.shop, { slug: 'a-late-one', title: 'A late one', searchText: null })
  await refreshSearch(world.shop.db)
  world.shop.answers.clear()
  for (const url of [
    '/api/quick_results?keyword=late',
    '/api/search_books?keyword=late',
    '/sitemap.xml',
    '/api/series/a-series',
    '/api/people/ada-reed',
  ])
    expect((await get(url)).body).not.toMatch(/a-late-one|an-e-book/)
  const buyer = await aBuyer(world.shop)
  const answer = await buyer.ask('POST', '/api/cart_items', { eBook: '/api/e_books/an-e-book' })
  expect(answer.statusCode).toBe(422)
  await doWithout()
  expect((await get('/api/e_books/a-late-one')).statusCode).toBe(200)
  expect((await get('/api/search_books?keyword=late')).body).toContain('a-late-one')
})

test('earlier sales stay valid: libraries, cards, gifts and the members’ page', async () => {
  const { shop } = world
  await doWithout()
  const bookshop = await aBookshop(shop)
  const card = await aCard(shop)
  await bookshop.sell(card)
  const giftEmail = aRecipient()
  await give(world, await aBuyer(shop), { giftEmail })
  const { token } = await mailedTo(shop, giftEmail)
  await doWithout('cards', 'eBooks', 'membership', 'payPal')

  const owner = world.headersOf('owner')
  expect((await get('/api/e_books/an-e-book', owner)).json()).toMatchObject({ inLibrary: true })
  expect((await get('/api/libraries', owner)).body).toContain('an-e-book')
  const member = world.headersOf('member')
  const current = (await get('/api/get-current-subscription', member)).json()
  expect(current).toMatchObject({ status: 'active' })
  const reader = await aBuyer(shop)
  expect((await get(`/api/audiobook-cards/${card.code}/card-apply-code`)).statusCode).toBe(200)
  expect((await reader.ask('POST', '/api/audiobook-cards/redeem', { token: card.code })).statusCode).toBe(200)
  expect((await bookshop.ask('GET', '/api/outlet/account')).statusCode).toBe(200)
  expect((await page('/redemption')).status).toBe(200)
  const recipient = await anAccountOf(shop, giftEmail)
  const claim = `/api/subscriptions/claim/${token}`
  expect((await recipient.ask('GET', claim)).statusCode).toBe(200)
  expect((await recipient.ask('POST', claim, {})).json()).toMatchObject({ state: 'begun' })

  await doWithout('audiobooks')
  expect((await get('/api/audio_books/an-audiobook', owner)).json().chapters).toHaveLength(3)
  expect((await get(`/api/audio_books/${card.book.slug}`, reader.headers)).json()).toMatchObject({
    inLibrary: true,
  })
})
