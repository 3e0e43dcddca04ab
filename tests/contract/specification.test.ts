import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineOf } from './calls.ts'
import { buildWorld, type CallerName, type World } from './world.ts'

/**
 * Replays section 7 of the specification, "The calls it makes", with exactly the fields and parameters that it names.
 * Fields that this server added are optional, or their absence is refused with an explanation.
 */
let world: World
beforeAll(async () => {
  world = await buildWorld()
})
afterAll(() => world.shop.close())

type Payload = Record<string, unknown>
interface Specified {
  /** The fields that the specification names, with the values of the sample call or the ones given here. */
  readonly fields?: readonly string[] | Payload
  /** As spelt in the specification, without the `?`. */
  readonly queries?: readonly string[]
  readonly by?: CallerName
  /** The message of the refusal: a missing consent or waiver that the law requires, or the password. */
  readonly refused?: RegExp
}

const giftOf = (plan: number) => ({
  plan,
  gift: true,
  giftEmail: 'a-friend@murmur.example',
  giftRecipientFirstName: 'Una',
  giftMessage: 'For you',
  giftDeliveryDate: null,
  couponCode: null,
  paymentMethod: null,
})
const OWN_PLAN = {
  ...giftOf(4),
  gift: false,
  giftEmail: null,
  giftRecipientFirstName: null,
  giftMessage: null,
}
const EDITORIAL = ['', 'page=1', '_page=1&itemsPerPage=5']
const LISTING = [
  'page=1&itemsPerPage=12',
  'styles[]=1&categories[]=1&locations[]=1&publishers[]=1&nationalities[]=1',
  'lengthHours[gte]=2',
  'lengthHours[lte]=9',
  'pages[gte]=100',
]
const LOOKUP = ['', 'itemsPerPage=200']

const SECTION_7: Readonly<Record<string, Specified>> = {
  'POST /api/users': { fields: ['email', 'password', 'firstName', 'lastName', 'countryCode', 'newsletter'] },
  'POST /api/login': { fields: ['email', 'password'] },
  'POST /api/user_confirmation/confirm': {
    fields: ['confirmationToken'],
    refused: /password/i,
  },
  'GET /api/logged-user': {},
  'POST /api/forgot_passwords': { fields: ['email'] },
  'PATCH /api/forgot_passwords/{id}': { fields: ['resetToken', 'password'] },
  'POST /api/token/refresh': { fields: ['refresh_token'] },
  'POST /token/refresh': { fields: ['refresh_token'] },
  'PATCH /api/users/{id}': {
    fields: {
      firstName: 'Ada',
      lastName: 'Reed',
      address1: '1 Quay',
      address2: '',
      city: 'Hull',
      county: '',
    },
  },
  'PATCH /api/users/{id}/newsletter-update': { fields: ['newsletter'] },
  'PATCH /api/users/{id}/promotion-update': { fields: ['promotions'] },
  'PUT /api/users/{id}/change-password': { fields: ['oldPassword', 'newPassword'] },
  'POST /api/users/{id}/delete-account': { fields: [], by: 'owner', refused: /password/i },
  'POST /api/users/{id}/cart-update': { fields: ['cartUuid'] },
  'POST /api/newsletters': { fields: ['email'] },
  'POST /api/ecommerce-register': {
    fields: ['email', 'password', 'firstName', 'lastName', 'countryCode', 'terms'],
  },

  'GET /api/info_pages/{slug}': {},
  'GET /api/f_a_q_categories': {},
  'GET /api/articles': { queries: EDITORIAL },
  'GET /api/articles/{id}': {},
  'GET /api/discussions': { queries: EDITORIAL },
  'GET /api/discussions/{id}': {},
  'GET /api/interviews': { queries: EDITORIAL },
  'GET /api/interviews/{id}': {},
  'GET /api/audio_books': {
    queries: [
      ...LISTING,
      'spiSIN=9001000000017',
      'categories=1',
      'availableAsCard=true&page=1&itemsPerPage=12',
    ],
  },
  'GET /api/e_books': { queries: LISTING },
  'GET /api/audio_books/{slug}': {},
  'GET /api/e_books/{slug}': {},
  'GET /api/audio_books/{slug}/tag_related': {},
  'GET /api/e_books/{slug}/tag_related': {},
  'GET /api/audio_books/second_editions': { queries: ['page=1&itemsPerPage=12', 'styles[]=1', 'styles=1'] },
  'GET /api/audio_books/latest': {},
  'GET /api/styles': { queries: LOOKUP },
  'GET /api/categories': { queries: LOOKUP },
  'GET /api/locations': { queries: LOOKUP },
  'GET /api/publishers': { queries: LOOKUP },
  'GET /api/publishers/{slug}': {},
  'GET /api/publishers/{slug}/audio_books': { queries: ['', 'page=1&itemsPerPage=12'] },
  'GET /api/nationalities': { queries: LOOKUP },
  'GET /api/searches': { queries: ['keyword=letters'] },
  'GET /api/search_books': {
    queries: [
      'keyword=letters&page=1&sort=name&direction=asc',
      'styles=1&categories=1&locations=1&publishers=1&authorsNationality=1&lengthHours=9&pagesMinimum=100',
    ],
  },
  'GET /api/quick_results': { queries: ['keyword=letters'] },
  'GET /api/types/murmurations': {},
  'GET /api/murmurations': {
    queries: [
      'keyword=letters&_page=1&itemsPerPage=5',
      'search[]=articles&search[]=interviews&search[]=discussions&sort=publishedAt&direction=asc&types=1',
    ],
  },
  'GET /api/home_panels_basic': {},
  'GET /api/home_panels_featured_audio_books': {},
  'GET /api/home_panels_guest_pick': {},
  'GET /api/home_panels_publisher': {},
  'GET /api/murmuration_blocks': {},
  'GET /api/promo_blocks': {},
  'GET /api/homepage_panels': {},
  'GET /api/staff_pick_blocks': {},
  'GET /api/menu_entries': {},
  'GET /api/search_menu_entries': {},
  'GET /api/membership_pages': {},
  'GET /api/settings/{name}': {},
  'GET /api/libraries': { queries: ['', 'page=1'] },

  'GET /api/user_chapter_times': {},
  'POST /api/user_chapter_times': { fields: ['audioBook', 'chapter', 'seconds'] },
  'PATCH /api/user_chapter_times/{id}': { fields: ['chapter', 'seconds'] },
  'GET /api/user_audio_book_times': { queries: ['itemsPerPage=1000'] },
  'POST /api/user_audio_book_times': { fields: ['audioBook', 'chapter', 'seconds'] },
  'PATCH /api/user_audio_book_times/{id}': { fields: ['chapter', 'seconds'] },

  'POST /api/cart_items': { fields: ['eBook'] },
  'GET /api/carts/{id}/cart_items': {},
  'DELETE /api/cart_items/{id}': {},
  'PATCH /api/cart_items/{id}': { fields: ['giftEmail', 'giftMessage', 'gift'] },
  'PUT /api/cart_items/{id}': { fields: { giftEmail: null, giftMessage: null, gift: false } },
  'POST /api/carts/{id}/apply-user': {},
  'POST /api/carts/{id}/checkout': { fields: ['couponCode'], refused: /agree/ },
  'PATCH /api/carts/{id}/apply-coupon': { fields: ['couponCode'] },
  'POST /api/carts/{id}/register': {
    fields: ['email', 'password', 'firstName', 'lastName', 'countryCode', 'terms'],
  },
  'GET /api/carts/{id}/availability': {},
  'POST /api/carts/{id}/availability': { fields: ['remove'] },
  'GET /api/order_carts': { queries: ['page=1&itemsPerPage=5'] },
  'GET /api/order_carts/{id}': {},
  'POST /api/audio_books/add-to-library/{id}': {},
  'POST /api/e_books/add-to-library/{id}': {},
  'POST /api/audio_books/{id}/purchased': { fields: ['email'] },
  'POST /api/e_books/{id}/purchased': { fields: ['email'] },

  'GET /api/discounts/{code}': {},
  'GET /api/discounts/{code}/sub-apply-coupon': { queries: ['plan=4'] },

  'POST /api/subscriptions': { fields: OWN_PLAN, refused: /agree that your membership starts/ },
  'POST /api/subscriptions/create_trial_subscription': { fields: {} },
  'POST /api/subscriptions/create-without-payment': {
    fields: ['plan', 'couponCode'],
    refused: /agree that your membership starts/,
  },
  'GET /api/subscriptions': { queries: ['itemsPerPage=1000'] },
  'GET /api/subscriptions/{id}/invoice': {},
  'GET /api/subscriptions/{id}/details': {},
  'POST /api/subscriptions/{id}/cancel': {},
  'POST /api/subscriptions/{id}/update-payment-method': { fields: ['paymentMethod'] },
  'POST /api/subscriptions/gift-check': { fields: ['email'] },
  'GET /api/get-current-subscription': {},
  'GET /api/subscription_intents': {},
  'POST /api/set-payment-method/{id}': { fields: ['paymentMethod'] },
  'GET /api/setup-intent': {},
  'GET /api/subscriptions/default-payment': {},

  'GET /api/redemption_codes/{code}': {},
  'POST /api/redemption_codes/add_to_library_with_code/{code}': { fields: ['audioBook'] },
  'POST /api/audiobook-cards/activate': { fields: ['buyerEmail', 'token'] },
  'POST /api/audiobook-cards/redeem': { fields: ['token'] },
  'GET /api/audiobook-cards/{code}/card-apply-code': {},
  'GET /api/audio_books/claim/{token}': {},
}

/** The sample's values for the fields that the specification names, and no other field. */
function only(fields: Specified['fields'], sample: Payload = {}): Payload | undefined {
  if (fields === undefined) return undefined
  if (!isNames(fields)) return fields
  return Object.fromEntries(fields.filter((name) => name in sample).map((name) => [name, sample[name]]))
}

const isNames = (fields: NonNullable<Specified['fields']>): fields is readonly string[] =>
  Array.isArray(fields)

async function replay(name: string, { fields, by }: Specified, query = '') {
  const [method] = name.split(' ')
  const line = lineOf(name)!
  const { url, payload } = await line.request(world)
  const body = only(fields, payload)
  const answer = await world.shop.app.inject({
    method:
      method === 'POST' || method === 'PATCH' || method === 'PUT' || method === 'DELETE' ? method : 'GET',
    url: `${url.split('?')[0]}${query ? `?${query}` : ''}`,
    ...(body ? { payload: body } : {}),
    headers: {
      ...world.headersOf(by ?? line.by ?? 'owner'),
      ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}),
    },
  })
  return { answer, said: `${name} ${query} ${JSON.stringify(body ?? null)}: ${answer.body.slice(0, 300)}` }
}

for (const [name, specified] of Object.entries(SECTION_7))
  test(`section 7 of the specification: ${name} takes exactly what is named there`, async () => {
    for (const query of specified.queries ?? ['']) {
      const { answer, said } = await replay(name, specified, query)
      const words = specified.refused ? answer.json()['hydra:description'] : ''
      expect(specified.refused ? answer.statusCode : Math.floor(answer.statusCode / 100), said).toBe(
        specified.refused ? 422 : 2,
      )
      expect(words, said).toMatch(specified.refused ?? /^$/)
    }
  })

const asOwner = (url: string) => world.shop.app.inject({ url, headers: world.headersOf('owner') })

test('API-26, API-37: a filter answers the same under both spellings of its name', async () => {
  const of = async (url: string) => {
    const answer = await asOwner(url)
    expect(answer.statusCode, url).toBe(200)
    return answer.json()['hydra:totalItems']
  }
  expect(await of('/api/audio_books')).toBeGreaterThan(0)
  for (const [path, name] of [
    ['audio_books', 'categories'],
    ['e_books', 'styles'],
    ['search_books', 'publishers'],
    ['search_books', 'authorsNationality'],
  ] as const) {
    // No title has this value, so an ignored filter would return everything.
    expect(await of(`/api/${path}?${name}=99999`), name).toBe(0)
    expect(await of(`/api/${path}?${name}[]=99999`), name).toBe(0)
    expect(await of(`/api/${path}?${name}=99998&${name}[]=99999`), name).toBe(0)
  }
})

test('an unknown parameter is refused by its name, in any position', async () => {
  for (const url of [
    '/api/audio_books?catgories=2',
    '/api/audio_books?page[]=2',
    '/api/logged-user?fields=email',
    '/api/search_books?keyword=sea&lengthHours[gte]=3',
  ]) {
    const answer = await asOwner(url)
    expect(answer.statusCode, url).toBe(400)
    const name = decodeURIComponent(url.split(/[?&]/).at(-1)!.split('=')[0]!)
    expect(answer.json()['hydra:description'], url).toContain(name)
  }
})

test('API-77: a gift with only the specification’s fields needs consent, and repeating the call creates one order', async () => {
  const post = (payload: Payload) =>
    world.shop.app.inject({
      method: 'POST',
      url: '/api/subscriptions',
      payload,
      headers: world.headersOf('owner'),
    })
  const bare = await post(giftOf(5))
  expect([bare.statusCode, bare.json()['hydra:description']]).toEqual([
    422,
    expect.stringContaining('as soon as it is opened'),
  ])
  const [first, again, another] = [
    await post({ ...giftOf(5), startNow: true }),
    await post({ ...giftOf(5), startNow: true }),
    await post({ ...giftOf(5), giftMessage: 'Another one', startNow: true }),
  ]
  expect([first.statusCode, again.statusCode, another.statusCode]).toEqual([201, 201, 201])
  expect(again.json().id).toBe(first.json().id)
  expect(again.json().paymentIntent).toBe(first.json().paymentIntent)
  expect(another.json().id).not.toBe(first.json().id)
})

test('ERR-01: a member is told about their membership before being asked to agree to anything', async () => {
  const answer = await world.shop.app.inject({
    method: 'POST',
    url: '/api/subscriptions',
    payload: OWN_PLAN,
    headers: world.headersOf('member'),
  })
  expect([answer.statusCode, answer.json()['hydra:description']]).toEqual([
    422,
    expect.stringContaining('User already has an active subscription'),
  ])
})
