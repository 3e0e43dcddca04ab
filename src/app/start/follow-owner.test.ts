// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countWaiting } from '#sync/outbox.ts'
import { listPlaces } from '#storage/places.ts'
import { claimSound } from '#features/listening/claim-sound.ts'
import { openedListening } from '#features/listening/lazy.ts'
import { recordPlayer } from '#features/listening/follow-player.ts'
import { installPlayer, thePlayer } from '#features/player/lazy.ts'
import { usePlayer } from '#features/player/store.ts'
import { exchange } from '#net/send.ts'
import { configureNet } from '#net/settings.ts'
import { logOut } from '#session/log-out.ts'
import { startSession } from '#session/session.ts'
import { becomeEnded, becomeUser, becomeVisitor } from '#session/store.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio } from '#tests/support/fake-audio.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { followOwner } from './follow-owner.ts'

const audio = new FakeAudio()
vi.mock('#features/player/sound-element.ts', () => ({ soundElement: () => audio.asElement() }))
installPlayer({
  ports: () => fakePorts({ claimSound }),
  onStart: (engine) => void recordPlayer(engine),
  visit: () => undefined,
})

const somebody = (firstName: string) => ({ uuid: crypto.randomUUID(), firstName, fullName: firstName })
const book = { kind: 'book', slug: 'the-salt-ledger' } as const
const heard = () => usePlayer.getState().state
/** The stored place of the book for a user, after all writes. */
const placeOf = async ({ uuid }: { uuid: string }) =>
  (await listPlaces(uuid)).map(({ slug, seconds }) => [slug, seconds])

let anna: ReturnType<typeof somebody>
let ben: ReturnType<typeof somebody>
/** The seconds of the places sent to the server. */
let sent: number[]
let stop: () => void

beforeEach(() => {
  ;[anna, ben, sent] = [somebody('Anna'), somebody('Ben'), []]
  followOwner(new QueryClient())
  stop = startSession()
  configureNet({
    origin: 'http://shop.test',
    exchange,
    fetch: (input, init) => shop(new Request(input, init)),
  })
})
afterEach(() => {
  becomeVisitor()
  stop()
  sessionStorage.clear()
  localStorage.clear()
})

async function shop(request: Request) {
  const json = (body: unknown, status = 200) =>
    fromShop(JSON.stringify(body), { status, headers: { 'content-type': 'application/ld+json' } })
  if (request.method !== 'POST' || !request.url.endsWith('/user_chapter_times'))
    return json({ 'hydra:member': [], 'hydra:totalItems': 0 })
  const body: { seconds: number } = await request.json()
  sent.push(body.seconds)
  const serverTime = new Date().toISOString()
  const place = { ...body, id: 'row', heardAt: serverTime }
  return json({ ...place, serverTime, audioBookTime: { ...place, fromSeconds: null, otherPlace: null } })
}

async function hears(someone: typeof anna) {
  localStorage.setItem('token', tokenOf(someone.uuid))
  becomeUser(someone, null)
  await openedListening()
  await (await thePlayer()).open(book, { play: true })
  await audio.arrives(60)
  await audio.hears(8)
  await soon(async () => expect(await placeOf(someone)).toHaveLength(1))
}

test.each([
  ['logs in after the previous session ended', () => becomeEnded(anna)],
  ['logs in from another tab', () => undefined],
])('PLAY-29: a user who %s gets neither sound nor places of the previous one', async (_how, before) => {
  await hears(anna)
  before()
  expect(heard().status).toBe('playing')
  becomeUser(ben, null)
  expect(heard()).toMatchObject({ status: 'off', title: undefined })
  expect(audio.paused).toBe(true)
  await audio.hears(8)
  await (await openedListening())!.sendNow()
  expect(await placeOf(ben)).toEqual([])
  expect(await countWaiting(ben.uuid)).toBe(0)
  // The last place before the change is still theirs.
  await soon(async () => expect(await placeOf(anna)).toEqual([[book.slug, 8]]))
})

test('PLAY-29: a logout stops the sound at once, and sends the last place before the session ends', async () => {
  await hears(anna)
  const left = logOut()
  expect(heard()).toMatchObject({ status: 'off', title: undefined })
  await left
  expect(sent.at(-1)).toBe(8)
  expect(await countWaiting(anna.uuid)).toBe(0)
})

test('a visitor’s sample keeps playing through a login', async () => {
  becomeVisitor()
  await (await thePlayer()).open({ ...book, kind: 'sample' }, { play: true })
  await audio.arrives(20)
  becomeUser(anna, null)
  expect(heard()).toMatchObject({ status: 'playing', title: { kind: 'sample' } })
})

test('an expired session and the next login don’t interrupt playback', async () => {
  await hears(anna)
  becomeEnded(anna)
  becomeUser(anna, null)
  expect(heard()).toMatchObject({ status: 'playing', title: book })
})

test('a device knows before the first paint that its user is a member, and forgets it with the membership or the user', () => {
  const isKnown = () => [localStorage.getItem('member'), document.documentElement.dataset.member]
  const member = { ...anna, currentSubscription: { plan: 4 } } as never
  becomeUser(anna, member)
  expect(isKnown()).toEqual(['1', ''])
  // Offline nothing is known of the membership.
  becomeUser(anna, null)
  expect(isKnown()).toEqual(['1', ''])
  becomeUser(anna, { ...anna, currentSubscription: null } as never)
  expect(isKnown()).toEqual([null, undefined])
  becomeUser(anna, member)
  becomeVisitor()
  expect(isKnown()).toEqual([null, undefined])
})
