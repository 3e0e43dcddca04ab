// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HomeSection } from '#contract/home.ts'
import { becomeVisitor } from '#session/store.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { demoFile } from '#tests/support/demo-content.ts'
import { appAt, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'

const demo = demoFile('home.json')
const NOTHING = {
  astonishingMemoirsAudioBooks: [],
  writersDilemmaAudioBooks: [],
  featuredAudioBooks: [],
  editionAudioBooks: [],
  highlightAudioBooks: [],
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
  })
  return appAt('/')
}
const ways = () =>
  [...document.querySelectorAll('[aria-labelledby=intro] a')]
    .filter((link) => !link.closest('aside'))
    .map((link) => [link.textContent, link.getAttribute('href')])

beforeEach(() => becomeVisitor())
afterEach(cleanup)

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

test.each([
  [true, 'Free this month'],
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
