// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { placesDb } from '#storage/places-db.ts'
import { readingStash } from '#sync/stash.ts'
import { readingOf } from '#sync/readings.ts'
import { configureNet, settings } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { openPlaceSaver, type PlaceSaver } from './place-saver.ts'

const SLUG = 'ordinary-weather'
const usual = { ...settings }
let owner: string
let keeper: PlaceSaver
let posted: { eventId: string; share: number; keepalive: boolean }[]

const spot = (share: number) => ({
  ...{ locator: `epubcfi(/6/${share})`, share, turned: undefined },
  ...{ chapter: 'Mild', chapterHref: null, minutesLeft: 0 },
})
const noted = () => localStorage.getItem(`murmur.read.${owner}`)
const written = (share: number) =>
  soon(async () => expect(await readingOf(owner, SLUG)).toMatchObject({ share }))

beforeEach(() => {
  owner = crypto.randomUUID()
  posted = []
  const tokens = { token: tokenOf(owner), refreshToken: undefined }
  configureNet({
    origin: 'http://shop.test',
    tokens: { ...settings.tokens, peek: () => tokens, read: async () => tokens },
    async fetch(_input, init) {
      const body = JSON.parse(init?.body as string)
      posted.push({ ...body, keepalive: init?.keepalive })
      return fromShop(JSON.stringify({ ...body, serverTime: new Date().toISOString() }))
    },
  })
  keeper = openPlaceSaver(owner, SLUG)
})
afterEach(() => {
  keeper.stop()
  configureNet(usual)
  vi.restoreAllMocks()
})

test('a page turned while closing is restored when the book opens again', async () => {
  const broken = vi.spyOn(placesDb, 'use').mockRejectedValue(new Error('the page is gone'))
  keeper.keep(spot(0.4))
  expect(noted()).toContain('0.4')
  broken.mockRestore()
  expect(await readingOf(owner, SLUG)).toBeUndefined()
  await readingStash.restore(owner)
  expect(await readingOf(owner, SLUG)).toMatchObject({ share: 0.4, waiting: 1 })
  expect(noted()).toBeNull()
})

test('a stashed position never wins over a later one, and a stored position is not stashed', async () => {
  keeper.keep(spot(0.1))
  await written(0.1)
  await soon(() => expect(noted()).toBeNull())
  localStorage.setItem(
    `murmur.read.${owner}`,
    JSON.stringify([{ ...spot(0.9), slug: SLUG, eventId: 'e', clock: { wallMs: 1, pageMs: 1, page: 'p' } }]),
  )
  await readingStash.restore(owner)
  expect(await readingOf(owner, SLUG)).toMatchObject({ share: 0.1 })
  expect(noted()).toBeNull()
})

test('a closing page sends its last position, once', async () => {
  keeper.keep(spot(0.2))
  await written(0.2)
  await soon(() => expect(noted()).toBeNull())
  window.dispatchEvent(new Event('pagehide'))
  // Not after an await: the page may be gone by then.
  expect(posted).toMatchObject([{ share: 0.2, keepalive: true }])
  window.dispatchEvent(new Event('pagehide'))
  expect(posted).toHaveLength(1)
  await soon(async () => expect(await readingOf(owner, SLUG)).toMatchObject({ waiting: 0 }))
})
