// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HomeSection } from '#contract/home.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { forgetStarted, keepStarted, type StartedTitle } from '#features/library/started.ts'
import { installPlayer } from '#features/player/lazy.ts'
import { installSamples } from '#features/samples/store.ts'
import { connectivity } from '#net/connectivity.ts'
import { becomeEnded, becomeVisitor } from '#session/store.ts'
import { placesDb } from '#storage/places-db.ts'
import { titleKey } from '#storage/title-key.ts'
import { soon } from '#tests/support/wait-for.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { demoFile } from '#tests/support/demo-content.ts'
import { appAt, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'
import { fakePorts } from '#tests/support/playable-title.ts'

const demo = demoFile('home.json')
const NOTHING = {
  astonishingMemoirsAudioBooks: [],
  writersDilemmaAudioBooks: [],
  featuredAudioBooks: [],
  editionAudioBooks: [],
  highlightAudioBooks: [],
  inStepTitles: [],
  featuredMurmurations: [],
  specialFeaturedMurmurations: [],
}
const COLOURS = ['1F3D43', 'F3E4C8', '76241F']
const picks = COLOURS.map((colour, index) => ({
  '@id': `/api/staff_pick_blocks/${index}`,
  visible: true,
  title: `Pick ${index}`,
  description: `Words ${index}`,
  author: 'Hana',
  audioBook: aTitle({ slug: `pick-${index}`, title: `Book ${index}`, bookBackgroundColour: colour }),
}))

/** The demo's own window; `more` is what its owner does otherwise. */
async function open(
  more: object = {},
  panels: Partial<Record<HomeSection, { title?: string; italic?: string | null; visible?: boolean }>> = {},
  answers: object = {},
) {
  const arranged = demo.panels.map(({ section, title, ...panel }) => [
    section,
    { ...panel, title: title.replaceAll('*', ''), italic: null, ...panels[section as HomeSection] },
  ])
  const home = { ...demo, ...NOTHING, ...Object.fromEntries(arranged), ...more }
  shopAnswers({
    '/api/homepage_panels': listOf([home]),
    '/api/staff_pick_blocks': listOf(picks),
    '/api/menu_entries': listOf([]),
    ...answers,
  })
  return appAt('/')
}
const ways = () =>
  [...document.querySelectorAll('[aria-labelledby=intro] a')]
    .filter((link) => !link.closest('aside'))
    .map((link) => [link.textContent, link.getAttribute('href')])

beforeEach(() => {
  becomeVisitor()
  connectivity.note(true)
  keepStarted('nell', [], true)
})
afterEach(() => {
  cleanup()
  forgetStarted()
  useDownloadsStore.setState({ ready: false })
})

const startedTitle = (
  slug: string,
  { format = 'audioBook', left = '' }: { format?: 'audioBook' | 'eBook'; left?: string } = {},
): StartedTitle => {
  const isSound = format === 'audioBook'
  return {
    key: titleKey(isSound ? 'audio' : 'ebook', slug),
    book: aTitle({ slug, title: slug, entityType: format as 'audioBook', series: [] }),
    share: 0.38,
    left: left || (isSound ? '2 h 10 m left' : 'About 120 pages left'),
    chapter: isSound ? '4. The weighing room' : '',
    place: isSound ? { chapter: 4, seconds: 250 } : undefined,
  }
}

test('HOME-05: a visitor is told of the membership and of the trial', async () => {
  const { router } = await open()
  expect(screen.getByText(demo.introText.visitor)).toBeTruthy()
  expect(ways()).toEqual([
    ['Discover membership', '/subscription'],
    ['Start 30-day Premium trial', '/free-trial'],
  ])
  expect(['/subscription', '/free-trial'].map((path) => router.matchRoutes(path).at(-1)?.routeId)).toEqual([
    '/subscription/{-$token}',
    '/free-trial',
  ])
})

test('HOME-04: a reader without a plan is shown the audiobooks and the trial', async () => {
  nellIsIn()
  await open()
  expect(screen.getByText(demo.introText.user)).toBeTruthy()
  expect(ways()).toEqual([
    ['Browse audiobooks', '/audiobooks'],
    ['Start 30-day Premium trial', '/free-trial'],
  ])
})

test('HOME-03: a member is shown the audiobooks and a gift', async () => {
  nellIsIn({ currentSubscription: { id: 's1', plan: 4 } as never })
  const { router } = await open()
  expect(screen.getByText(demo.introText.member)).toBeTruthy()
  expect(ways()).toEqual([
    ['Browse audiobooks', '/audiobooks'],
    ['Gift Premium Membership', '/gift?plan=3'],
  ])
  expect(router.matchRoutes('/gift').at(-1)?.routeId).toBe('/gift')
})

test('HOME-18 HOME-20: started titles come first, then the staff picks and the panels in their order; the intro with its buttons ends the page', async () => {
  nellIsIn({ currentSubscription: { id: 's1', plan: 4 } as never })
  keepStarted(
    'nell',
    [startedTitle('peat', { left: '6 h 01 m left' }), startedTitle('skerry', { format: 'eBook' })],
    true,
  )
  const { router } = await open({ editionAudioBooks: [aTitle({ slug: 'goat', title: 'Goat Years' })] })
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('peat')
  const now = within(screen.getByRole('region', { name: 'peat' }))
  for (const words of ['4. The weighing room', '6 h 01 m left']) expect(now.getByText(words)).toBeTruthy()
  expect(now.getByRole('button', { name: 'Play from 4:05' })).toBeTruthy()
  expect(now.getByRole('button', { name: 'Read skerry, About 120 pages left' })).toBeTruthy()
  await screen.findByRole('region', { name: 'Editions' })
  expect(screen.getByText(demo.introText.member)).toBeTruthy()
  expect(ways()).toEqual([
    ['Browse audiobooks', '/audiobooks'],
    ['Gift Premium Membership', '/gift?plan=3'],
  ])
  expect(screen.getByRole('group', { name: 'Staff picks' })).toBeTruthy()
  const main = within(screen.getByRole('main'))
  const h2s = main.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(h2s.indexOf('Book 0')).toBeGreaterThan(h2s.indexOf('Also started'))
  expect(h2s.indexOf('Book 0')).toBeLessThan(h2s.indexOf('How it works'))
  expect(h2s.at(-1)).toBe('Good books, said softly.')
  expect(h2s.indexOf('Editions')).toBeGreaterThan(h2s.indexOf('How it works'))
  await userEvent.click(now.getByRole('button', { name: /^Read skerry/ }))
  await soon(() => expect(router.state.location.pathname).toBe('/read/skerry'))
})

test('HOME-20: below started titles, a row begins with titles that no row above it shows', async () => {
  nellIsIn({ currentSubscription: { id: 's1', plan: 4 } as never })
  keepStarted('nell', [startedTitle('peat')], true)
  const [peat, goat, skerry] = ['peat', 'goat', 'skerry'].map((slug, id) => aTitle({ id, slug, title: slug }))
  await open({ inStepTitles: [peat!, goat!], editionAudioBooks: [goat!, peat!, skerry!] })
  const row = async (name: string) =>
    within(await screen.findByRole('region', { name }))
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent)
  expect(await row('Read and listen in step')).toEqual(['goat', 'peat'])
  expect(await row('Editions')).toEqual(['skerry', 'goat', 'peat'])
})

test('HOME-13 HOME-20: below started titles, special pieces are a list of four, events with their day', async () => {
  const piece = (id: number, more: object = {}) => ({
    ...{
      entityType: 'article',
      id,
      slug: `piece-${id}`,
      title: `Piece ${id}`,
      shortDescription: '',
      summary: '',
    },
    ...{ image: null, author: null, startsAt: null, memberOnly: false, publishedAt: '2026-11-01T10:00:00Z' },
    ...{ type: { id: 1, title: 'Essays' }, ...more },
  })
  const pieces = [
    piece(1, { entityType: 'discussion', startsAt: '2026-12-04T17:00:00Z' }),
    ...[piece(2, { memberOnly: true }), piece(3), piece(4), piece(5)],
  ]
  nellIsIn()
  keepStarted('nell', [startedTitle('peat')], true)
  await open({
    specialFeaturedMurmurations: pieces.map((each) => ({ [each.entityType]: each })),
  })
  const special = within(await screen.findByRole('region', { name: 'Worth staying in for' }))
  expect(special.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Friday 4 December, 17:00Piece 1',
    'Essays · MembersPiece 2',
    ...['EssaysPiece 3', 'EssaysPiece 4'],
  ])
})

test('HOME-18: two or more titles that are not started are listed next to the only one in progress', async () => {
  const owned = ['peat', 'goat', 'skerry'].map((slug, index) => ({
    ...{ key: titleKey('audio', slug), addedAtMs: index, chapterSeconds: [600] },
    book: aTitle({ slug, title: slug }),
  }))
  await placesDb.use('nell', (db) => db.ownTitles.bulkPut(owned))
  nellIsIn()
  keepStarted('nell', [startedTitle('peat')], true)
  await open()
  const beside = within(await screen.findByRole('region', { name: 'Not started yet' }))
  expect(beside.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Play skerry, 10 min',
    'Play goat, 10 min',
  ])
  cleanup()
  const key = titleKey('audio', 'skerry')
  await placesDb.use('nell', (db) => db.ownTitles.delete(titleKey('audio', 'goat')))
  useDownloadsStore.setState({ ready: true, byTitle: new Map([[key, { state: 'done' } as never]]) })
  await open()
  // The titles in the library are known.
  await screen.findByRole('region', { name: 'Ready offline' })
  expect(screen.queryByRole('region', { name: 'Not started yet' })).toBeNull()
  useDownloadsStore.setState(useDownloadsStore.getInitialState())
  await placesDb.use('nell', (db) => db.ownTitles.clear())
})

test('HOME-18: with a session that has ended, and without a network, the device still shows what was started', async () => {
  becomeEnded({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' })
  keepStarted('nell', [startedTitle('peat')], true)
  shopAnswers({})
  connectivity.lost()
  await appAt('/')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('peat')
  expect(document.title).toBe('Home | Murmur')
  cleanup()
  // A visitor on the same device sees the shop.
  connectivity.note(true)
  becomeVisitor()
  await open()
  expect(screen.queryByText('peat')).toBeNull()
})

test('HOME-10: “Play” of the featured audiobook plays it for its owner', async () => {
  const listen = vi.fn()
  installSamples({ pausePlayer: () => {}, listen, volume: () => 1 })
  nellIsIn()
  await open({ featuredAudioBooks: [aTitle({ slug: 'goat', title: 'Goat Years', inLibrary: true })] })
  const featured = within(await screen.findByRole('region', { name: 'Goat Years' }))
  await userEvent.click(featured.getByRole('button', { name: 'Play' }))
  expect(listen).toHaveBeenCalledWith('goat')
})

test('HOME-10: the first featured audiobook that the page hasn’t shown yet is in the band, or the first of all', async () => {
  const titles = (...slugs: string[]) => slugs.map((slug) => aTitle({ slug, title: slug }))
  nellIsIn()
  keepStarted('nell', [startedTitle('peat')], true)
  const band = () => document.querySelector('[aria-labelledby="featured"] h2')?.textContent
  // “pick-1” is among the staff picks.
  await open({ featuredAudioBooks: titles('peat', 'pick-1', 'goat') })
  await soon(() => expect(band()).toBe('goat'))
  cleanup()
  await open({ featuredAudioBooks: titles('peat') })
  await soon(() => expect(band()).toBe('peat'))
})

test('a row below the featured audiobook begins with titles that the page hasn’t shown yet', async () => {
  const titles = (...slugs: string[]) => slugs.map((slug, id) => aTitle({ slug, id, title: slug }))
  nellIsIn()
  keepStarted('nell', [startedTitle('peat')], true)
  await open({ featuredAudioBooks: titles('goat'), editionAudioBooks: titles('goat', 'skerry') })
  const row = within(await screen.findByRole('region', { name: 'Editions' }))
  expect(row.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    ...['skerry', 'goat'],
  ])
})

test('in step: “Read from here” on own home opens the e-book of the audiobook that was heard last, offline too', async () => {
  nellIsIn()
  keepStarted('nell', [{ ...startedTitle('peat'), other: titleKey('ebook', 'peat-text') }], true)
  shopAnswers({})
  connectivity.lost()
  const { router } = await appAt('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Read from here' }))
  await soon(() => expect(router.state.location.pathname).toBe('/read/peat-text'))
})

test('in step: “Listen from here” on own home opens the audiobook of the e-book that was read last, offline too', async () => {
  nellIsIn()
  const read = { ...startedTitle('peat-text', { format: 'eBook' }), other: titleKey('audio', 'peat') }
  keepStarted('nell', [read], true)
  shopAnswers({})
  connectivity.lost()
  // On a wide screen the player has a window of its own.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  installPlayer({ ports: () => fakePorts(), visit: () => undefined })
  const { router } = await appAt('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Listen from here' }))
  await soon(() => expect(router.state.location.pathname).toBe('/player/peat'))
  vi.unstubAllGlobals()
})

test.each([
  ['what was started elsewhere', [startedTitle('peat')], 'peat'],
  ['the shop, if nothing was', [], 'Good books, said softly.'],
])('HOME-18: after a log-in on a new device, home waits, then shows %s', async (_, titles, heading) => {
  forgetStarted()
  nellIsIn()
  await open()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Home')
  expect(screen.queryByRole('group', { name: 'Staff picks' })).toBeNull()
  // As after a log-in by keyboard: the heading that replaces the first one keeps the focus.
  const first = screen.getByRole('heading', { level: 1 })
  first.tabIndex = -1
  first.focus()
  act(() => keepStarted('nell', titles, true))
  const shown = await screen.findByRole('heading', { level: 1, name: heading })
  await soon(() => expect(document.activeElement).toBe(shown))
})

test('HOME-19: this month’s free audiobook, a gift and what plays offline follow; what is empty is left out', async () => {
  const book = (slug: string) => aTitle({ slug, title: slug, sample: `/media/${slug}.m4a` })
  nellIsIn({ hasCredit: true })
  keepStarted('nell', [startedTitle('peat')], true)
  useDownloadsStore.setState({ ready: true })
  const highlights = ['a', 'b', 'c', 'd'].map((slug, id) => ({ ...book(slug), id }))
  await open(
    { highlightAudioBooks: highlights as never },
    {},
    {
      '/api/get-current-subscription': null,
      '/api/audio_books/second_editions': listOf(highlights, 14),
      '/api/gifts': listOf([
        { id: 'g1', giverName: 'Dora', giftMessage: 'Enjoy', audioBook: book('gift'), eBook: null },
      ]),
      '/api/subscriptions/gifts': listOf([]),
    },
  )
  const choice = within(await screen.findByRole('region', { name: 'One free audiobook is waiting' }))
  expect(choice.getAllByRole('button', { name: /^Choose: / })).toHaveLength(3)
  expect(choice.getAllByRole('button', { name: /^Play a sample of / })).toHaveLength(3)
  expect(choice.getByRole('link', { name: 'See all 14' })).toBeTruthy()
  // The highlights begin with those that aren't already shown above them.
  const shelf = within(await screen.findByRole('region', { name: 'Current highlights' }))
  expect(shelf.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    ...['d', 'a', 'b', 'c'],
  ])
  const gift = within(screen.getByRole('region', { name: 'Dora has sent you a book' }))
  expect(gift.getByRole('link', { name: 'Open your gift' }).getAttribute('href')).toBe('/get-book?gift=g1')
  expect(screen.queryByRole('region', { name: 'Ready offline' })).toBeNull()
})

test.each([
  [true, '£12 or free'],
  [false, '£12'],
])(
  'with a free audiobook to choose (%s), the highlights show “%s”; titles that can’t be chosen show prices',
  async (hasCredit, shown) => {
    nellIsIn({ hasCredit })
    const book = aTitle({ slug: 'peat', title: 'Peat', published: true, price: 12, subscriptionPrice: 9.6 })
    await open({ highlightAudioBooks: [{ ...book, currentlyHighlighted: true }], editionAudioBooks: [book] })
    const priceIn = async (name: string) =>
      (await screen.findByRole('region', { name })).querySelector('li')!.textContent
    expect(await priceIn('Current highlights')).toContain(shown)
    expect(await priceIn('Editions')).toContain('£12')
  },
)

test('HOME-10: a member who may choose the featured audiobook sees both prices, and that it can be free', async () => {
  nellIsIn({ hasCredit: true, currentSubscription: {} as never })
  const prices = { published: true, price: 12, subscriptionPrice: 9.6, currentlyHighlighted: true }
  await open({ featuredAudioBooks: [aTitle({ slug: 'goat', title: 'Goat Years', ...prices })] })
  const featured = await screen.findByRole('region', { name: 'Goat Years' })
  await soon(() => expect(featured.textContent).toContain('£9.60 or freefor members · £12'))
  cleanup()
  // A free audiobook can outlive the membership.
  nellIsIn({ hasCredit: true })
  await open({ featuredAudioBooks: [aTitle({ slug: 'goat', title: 'Goat Years', ...prices })] })
  const band = await screen.findByRole('region', { name: 'Goat Years' })
  await soon(() => expect(band.textContent).toContain('£12 or free£9.60 for members'))
})

test('the headline and every panel’s heading are the owner’s; without its intro the page still has a name', async () => {
  await open(
    {},
    {
      curatedIntroPicks: { title: 'Read aloud, by heart.', italic: 'aloud' },
      playerApp: { title: 'In your pocket' },
    },
  )
  const h1 = screen.getByRole('heading', { level: 1 })
  expect(h1.textContent).toBe('Read aloud, by heart.')
  expect(h1.querySelector('i')?.textContent).toBe('aloud')
  expect(document.title).toBe('Read aloud, by heart | Murmur')
  expect(await screen.findByRole('heading', { level: 2, name: 'In your pocket' })).toBeTruthy()
  cleanup()

  await open({}, { curatedIntroPicks: { visible: false } })
  expect(screen.getByRole('heading', { level: 1, name: 'Home' })).toBeTruthy()
  expect(document.title).toBe('Home | Murmur')
  cleanup()

  const none = demo.panels.map(({ section }) => [section, { visible: false }])
  await open({}, Object.fromEntries(none))
  const empty = { level: 1, name: 'We’re still dressing the window' }
  expect(await screen.findByRole('heading', empty)).toBeTruthy()
})

test('HOME-07 HOME-08 HOME-14: the window tells of the shop, of three steps, and of the app', async () => {
  await open()
  const about = await screen.findByRole('region', { name: 'About the shop' })
  expect(about.textContent).toContain('Murmur began in a net loft in Whitby')
  expect(about.querySelectorAll('p')).toHaveLength(3)
  const steps = within(screen.getByRole('region', { name: 'How it works' }))
  expect(steps.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Join',
    'Add to library',
    'Listen anywhere',
  ])
  const app = within(screen.getByRole('region', { name: 'Take it with you' }))
  expect(app.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'https://apps.example/ios/murmur',
    'https://apps.example/android/murmur',
  ])
})

test('HOME-15: a carousel shows eight, however many there are', async () => {
  const nine = Array.from({ length: 9 }, (_, id) => aTitle({ id, slug: `book-${id}`, title: `Book ${id}` }))
  await open({
    highlightAudioBooks: nine,
    editionAudioBooks: nine,
    astonishingMemoirsAudioBooks: nine,
    writersDilemmaAudioBooks: nine,
  })
  await screen.findByRole('region', { name: 'Editions' })
  for (const name of ['Current highlights', 'Editions', 'Astonishing Memoirs', 'Writer’s Dilemma'])
    expect(within(screen.getByRole('region', { name })).getAllByRole('listitem'), name).toHaveLength(8)
})

test('HOME-02: staff picks come one after the other, round and round, and the arrows wear the colours of each', async () => {
  await open()
  const group = within(screen.getByRole('group', { name: 'Staff picks' }))
  const worn = () =>
    group.getByRole('button', { name: 'Next pick' }).parentElement!.style.getPropertyValue('--title-bg')
  const coloursOf = (pick: HTMLElement) => pick.style.getPropertyValue('--title-bg')
  const seen = new Set<string>()
  for (const turn of [0, 1, 2, 0]) {
    const pick = group.getByRole('complementary')
    expect(pick.getAttribute('aria-label')).toBe(`Pick ${turn}`)
    expect(worn()).toBe(coloursOf(pick))
    seen.add(worn())
    await userEvent.click(group.getByRole('button', { name: 'Next pick' }))
  }
  expect(seen.size).toBe(3)
  await userEvent.click(group.getByRole('button', { name: 'Previous pick' }))
  expect(group.getByRole('complementary').getAttribute('aria-label')).toBe('Pick 0')
})

test('in step: the home page has a shelf of such titles, and none without them', async () => {
  const titles = [aTitle({ id: 1, slug: 'salt', title: 'Salt', inStep: true })]
  await open({ inStepTitles: titles })
  const shelf = within(await screen.findByRole('region', { name: 'Read and listen in step' }))
  expect(shelf.getByRole('link', { name: /Salt.*Read and listen in step/ })).toBeTruthy()
  cleanup()
  await open()
  await screen.findByRole('heading', { name: 'How it works' })
  expect(screen.queryByRole('region', { name: 'Read and listen in step' })).toBeNull()
})

test('a shop without arranged panels shows its newest and most heard titles, and all titles once there are more', async () => {
  const some = (count: number) =>
    Array.from({ length: count }, (_, id) => aTitle({ id, slug: `t-${id}`, title: `T ${id}` }))
  const panel = (title: string, weight: number) => ({ title, weight, italic: null, visible: true })
  const usual = {
    newTitles: panel('New', 1),
    mostHeard: panel('Most heard', 2),
    allTitles: panel('All titles', 3),
    guestPicks: panel('Our picks', 4),
    pickedTitles: [],
  }
  await open({ ...usual, newestTitles: some(8), mostHeardTitles: some(2), titlesByName: some(8) })
  for (const [name, count] of [
    ['New', 8],
    ['Most heard', 2],
    ['All titles', 8],
  ] as const)
    expect(within(await screen.findByRole('region', { name })).getAllByRole('listitem'), name).toHaveLength(
      count,
    )
  expect(screen.queryByRole('region', { name: 'Our picks' })).toBeNull()
  cleanup()
  // If the newest titles are all the titles, they are listed once.
  await open({ ...usual, newestTitles: some(3), mostHeardTitles: [], titlesByName: some(3) })
  await screen.findByRole('region', { name: 'New' })
  expect(screen.queryByRole('region', { name: 'All titles' })).toBeNull()
})
