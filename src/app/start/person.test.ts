// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { TAB_KEYS } from '#session/user-scope.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { fakePorts } from '#tests/support/playable-title.ts'
import { fakeCaches } from '#tests/support/fake-caches.ts'
import { FakeAudio } from '#tests/support/fake-audio.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'

const outside = vi.hoisted(() => ({ audio: undefined as FakeAudio | undefined, order: new Array<string>() }))
vi.mock('#features/player/sound-element.ts', () => ({ soundElement: () => outside.audio!.asElement() }))
/** Each page has its own registry and session. */
const loggedOrder = async (original: () => Promise<typeof import('#session/user-scope.ts')>) => {
  const real = await original()
  const registerUserScope: typeof real.registerUserScope = (name, belonging) =>
    real.registerUserScope(name, {
      ...belonging,
      ...(belonging.open && {
        open: (ownerUuid) => (outside.order.push(`open ${name}`), belonging.open!(ownerUuid)),
      }),
      close: () => (outside.order.push(`close ${name}`), belonging.close()),
    })
  return { ...real, registerUserScope }
}

const somebody = (firstName: string) => ({ uuid: crypto.randomUUID(), firstName, fullName: firstName })
type Person = ReturnType<typeof somebody>
const book = { kind: 'book', slug: 'the-salt-ledger' } as const
const json = (body: unknown) =>
  fromShop(JSON.stringify(body), { headers: { 'content-type': 'application/ld+json' } })

/** Starts a page in the existing tab, with everything that registers a user scope. */
async function openPage() {
  vi.resetModules()
  vi.doMock(import('#session/user-scope.ts'), loggedOrder)
  outside.audio = new FakeAudio()
  const { startSession, ...session } = await import('#session/session.ts')
  const { openSession } = await import('#session/log-in.ts')
  const { logOut } = await import('#session/log-out.ts')
  const { configureNet } = await import('#net/settings.ts')
  const { exchange } = await import('#net/send.ts')
  const player = await import('#features/player/lazy.ts')
  const listening = await import('#features/listening/lazy.ts')
  const { claimSound } = await import('#features/listening/claim-sound.ts')
  const { recordPlayer } = await import('#features/listening/follow-player.ts')
  const page = {
    ...{ session, openSession, logOut, player, listening, audio: outside.audio, client: new QueryClient() },
    person: await import('#session/user-scope.ts'),
    store: await import('#session/store.ts'),
    downloads: await import('#features/downloads/lazy.ts'),
    shown: {
      player: (await import('#features/player/store.ts')).usePlayer,
      downloads: (await import('#features/downloads/store.ts')).useDownloadsStore,
      listening: (await import('#features/listening/store.ts')).useListeningStore,
      ready: (await import('#features/ready/keep-ready.ts')).useReady,
      bag: (await import('#features/bag/store.ts')).useBagStore,
      bagCount: (await import('#features/bag/count.ts')).useBagCount,
      card: (await import('#features/cards/store.ts')).useRedemption,
      wish: (await import('#features/gifts/draft.ts')).useGiftDraft,
      draft: (await import('#features/checkout/store.ts')).useCheckoutDraft,
    },
    toasts: await import('#ui/toast.ts'),
    said: await import('#ui/announce.ts'),
    cards: await import('#features/cards/store.ts'),
    gifts: await import('#features/gifts/draft.ts'),
    till: await import('#features/checkout/store.ts'),
    pending: await import('#features/checkout/store.ts'),
    withdrawals: await import('#routes/-pages/StatementForm.tsx'),
  }
  player.installPlayer({
    ports: () => fakePorts({ claimSound }),
    onStart: (engine) => void recordPlayer(engine),
    visit: () => undefined,
  })
  const { followOwner } = await import('./follow-owner.ts')
  followOwner(page.client)
  stop = startSession()
  configureNet({
    origin: 'http://shop.test',
    exchange,
    fetch: async (input, init) => {
      const { pathname } = new URL(new Request(input, init).url)
      if (pathname === '/api/logged-user') return json({ ...here, lastName: '', email: '' })
      return json({ 'hydra:member': [], 'hydra:totalItems': 0 })
    },
  })
  await session.restore()
  const { followBag } = await import('#features/bag/follow.ts')
  followBag(page.client)
  openedPages.push(page)
  return page
}
type Page = Awaited<ReturnType<typeof openPage>>

let stop: () => void
const openedPages: { readonly listening: typeof import('#features/listening/lazy.ts') }[] = []
let here: Person
const anna = somebody('Anna')
const ben = somebody('Ben')

/** A login in another tab, visible here only through shared storage. */
async function loggedInElsewhere(person: Person) {
  here = person
  const { writeValue } = await import('#storage/values.ts')
  await writeValue('rememberedUser', person)
  localStorage.setItem('token', tokenOf(person.uuid))
  localStorage.setItem('refresh_token', 'r1')
}
const storageEvent = () =>
  dispatchEvent(
    new StorageEvent('storage', {
      key: 'token',
      oldValue: tokenOf(anna.uuid),
      newValue: localStorage.getItem('token'),
    }),
  )

/** Anna listens, and has started everything else that can be started. */
async function annaIsHere(): Promise<Page> {
  vi.stubGlobal('caches', fakeCaches())
  await loggedInElsewhere(anna)
  const page = await openPage()
  const { cards, gifts, till, pending, shown, toasts, withdrawals } = page
  expect(page.store.currentOwner()).toBe(anna.uuid)
  await caches.open(`murmur-personal-${anna.uuid}`)
  await caches.open(`murmur-personal-${ben.uuid}`)
  page.client.setQueryData(['own', anna.uuid, 'bag'], { itemCount: 3 })
  shown.bag.setState({ joinFailed: true })
  shown.ready.setState({ owner: anna.uuid, phase: 'ready' })
  cards.welcome('CODE', { bookshop: 'Corner House Books', audioBook: aTitle(), spiSIN: null })
  cards.storeTyped('CODE')
  gifts.writeGiftDraft({ firstName: 'Joost' })
  gifts.giftKey()
  till.writeDraft({ ...shown.draft.getState(), email: 'anna@harbour.example' })
  pending.rememberPayment({ order: 'o1', secret: 's1', newUser: false })
  pending.rememberBooks({ cart: 'b1', subscription: 'm1', amount: 8.8 })
  pending.storeCode('A20')
  pending.storeCode('B20', 'membership')
  withdrawals.storeStatement({ name: 'Anna', contract: 'M-100001', email: 'anna@harbour.example', scope: '' })
  shown.listening.setState({ elsewhere: {} as never, putOff: new Set(['salt']) })
  await page.downloads.openedDownloads()
  await page.listening.openedListening()
  await (await page.player.thePlayer()).open(book, { play: true })
  await page.audio.arrives(60)
  await page.audio.hears(8)
  toasts.toast('Moved to Oranges', { action: { label: 'Undo', onPress: () => undefined } })
  page.said.announce('You were at 25 seconds.')
  expect(tabKeys().toSorted()).toEqual([...TAB_KEYS].toSorted())
  return page
}
const tabKeys = () => TAB_KEYS.filter((key) => sessionStorage.getItem(key) !== null)

afterEach(async () => {
  stop()
  // Close them: their requests would be answered after this test file's page is gone.
  for (const page of openedPages.splice(0)) {
    const listening = await page.listening.openedListening()
    await listening?.sendNow()
    listening?.stop()
  }
  localStorage.clear()
  sessionStorage.clear()
  window.name = ''
  vi.unstubAllGlobals()
})

const CLOSED = [...(await import('#session/user-scope.ts')).USER_SCOPES]
const opens = (name: string) => ['answers', 'places', 'downloads'].includes(name)

test.each<[how: string, comes: (page: Page) => Promise<unknown>, next: Person | undefined]>([
  ['nobody, by a log-out', ({ logOut }) => logOut(), undefined],
  [
    'somebody else, in this tab, after a session that ended by itself',
    async ({ openSession, store }) => {
      localStorage.removeItem('token')
      store.becomeEnded(anna)
      here = ben
      await openSession({ token: tokenOf(ben.uuid), refresh_token: 'r2' })
    },
    ben,
  ],
  [
    'somebody else, in another tab',
    async ({ store }) => {
      await loggedInElsewhere(ben)
      storageEvent()
      await soon(() => expect(store.currentOwner()).toBe(ben.uuid))
    },
    ben,
  ],
  [
    'nobody, by a log-out in another tab',
    async ({ store }) => {
      localStorage.clear()
      const { removeValue } = await import('#storage/values.ts')
      await removeValue('rememberedUser')
      storageEvent()
      await soon(() => expect(store.currentSession().status).toBe('visitor'))
    },
    undefined,
  ],
])('PLAY-29: closes all user scopes in reverse order: %s', async (_how, comes, next) => {
  const page = await annaIsHere()
  const close = vi.spyOn(window, 'close')
  const heard = page.shown.player
  expect(outside.order.splice(0)).toEqual(CLOSED.filter(opens).map((name) => `open ${name}`))
  await comes(page)
  await page.person.userScopesClosed()
  expect(outside.order.splice(0)).toEqual([
    ...CLOSED.toReversed().map((name) => `close ${name}`),
    ...(next ? CLOSED.filter(opens).map((name) => `open ${name}`) : []),
  ])

  expect(page.audio.paused).toBe(true)
  expect(heard.getState().state).toMatchObject({ status: 'off', title: undefined })
  expect((await page.downloads.openedDownloads())?.ownerUuid).toBe(next?.uuid)
  expect((await page.listening.openedListening())?.ownerUuid).toBe(next?.uuid)
  expect(page.client.getQueryCache().findAll({ queryKey: ['own', anna.uuid] })).toEqual([])
  expect((await caches.keys()).filter((name) => name.startsWith('murmur-personal'))).toEqual(
    next ? [`murmur-personal-${next.uuid}`] : [],
  )
  expect(page.shown.listening.getState()).not.toHaveProperty('elsewhere')
  expect(page.shown.listening.getState()).not.toHaveProperty('putOff')
  expect(page.shown.ready.getState()).toMatchObject({ owner: undefined, phase: 'off' })
  expect([page.shown.bag.getState().joinFailed, page.shown.bagCount.getState()]).toEqual([false, 0])
  expect(page.shown.card.getState()).toMatchObject({ redeemed: null, typed: '', owned: null, notice: '' })
  expect(page.shown.wish.getState().firstName).toBe('')
  expect(page.shown.draft.getState().email).toBe('')
  expect(page.pending.pendingPayment()).toBeUndefined()
  expect(tabKeys()).toEqual([])
  expect(page.toasts.currentToast()).toBeUndefined()
  expect(page.said.announced().polite).toBe('')
  expect(close).not.toHaveBeenCalled()
})

test('PLAY-29: in the player’s window the sound stops too, and the window closes', async () => {
  window.name = 'murmur-player-one'
  vi.stubGlobal('navigator', {
    ...{ userAgent: navigator.userAgent, maxTouchPoints: 0, onLine: true },
    locks: { request: async (_name: string, work: () => unknown) => work() },
  })
  const page = await annaIsHere()
  const close = vi.spyOn(window, 'close').mockReturnValue()
  await loggedInElsewhere(ben)
  storageEvent()
  await soon(() => expect(close).toHaveBeenCalled())
  expect(page.audio.paused).toBe(true)
})

test('if the same user logs in again, in any tab, nothing is closed and pending work continues', async () => {
  const page = await annaIsHere()
  outside.order.length = 0
  const resumed = vi.spyOn((await page.downloads.openedDownloads())!, 'resume')
  const sent = vi.spyOn((await page.listening.openedListening())!, 'sendNow')
  const kept = Object.fromEntries(TAB_KEYS.map((key) => [key, sessionStorage.getItem(key)]))
  page.store.becomeEnded(anna)
  await page.openSession({ token: tokenOf(anna.uuid, 'two'), refresh_token: 'r2' })
  await loggedInElsewhere(anna)
  storageEvent()
  await page.session.restore()
  await soon(() => expect([resumed, sent].map(({ mock }) => mock.calls.length)).toEqual([1, 1]))
  expect(outside.order).toEqual([])
  expect(page.shown.player.getState().state).toMatchObject({ status: 'playing', title: book })
  expect(Object.fromEntries(TAB_KEYS.map((key) => [key, sessionStorage.getItem(key)]))).toEqual(kept)
})

test('clears a tab’s storage if its user logged out while it showed another document, and only then', async () => {
  await annaIsHere()
  stop()
  const back = await openPage()
  expect(back.shown.draft.getState().email).toBe('anna@harbour.example')
  expect(back.pending.pendingPayment()).toMatchObject({ order: 'o1' })
  stop()
  await loggedInElsewhere(ben)
  const later = await openPage()
  expect(tabKeys()).toEqual([])
  expect(later.shown.draft.getState().email).toBe('')
  expect(later.shown.wish.getState().firstName).toBe('')
  expect(later.shown.card.getState().redeemed).toBeNull()
})
