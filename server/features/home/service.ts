import type { HomepagePanel, HomeSection, StaffPick } from '#contract/home.ts'
import { HOME_SECTIONS } from '#contract/limits.ts'
import type { Murmuration } from '#contract/editorial.ts'
import type { SeenBy } from '#contract/office/documents.ts'
import type { ShopPart } from '#contract/shop-details.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'
import type { Shop } from '../../shop.ts'
import { audioCardsOf, cardsOf, isAudioCard, listFeatured, type Reader } from '../catalogue/service.ts'
import { murmurationsOf } from '../editorial/service.ts'
import { entitlementOf } from '../membership/service.ts'
import { catalogueCache } from '../../caches.ts'
import {
  type PanelRow,
  selectBookIds,
  selectInStep,
  selectMarkedItems,
  selectMostHeard,
  selectPanels,
  selectPicks,
  selectPublishersBySlug,
  selectRecord,
  selectShelf,
  selectShelfTitles,
  type PickRow,
} from './queries.ts'

/** Titles in a carousel (HOME-15). */
export const SHOWN = 8

export interface HomeRecord {
  readonly introText?: Partial<HomepagePanel['introText']>
  readonly aboutText?: string
  readonly appStoreLink?: string
  readonly playStoreLink?: string
  readonly guestPicks?: readonly string[]
  readonly publishers?: readonly string[]
}

interface HomeContent {
  readonly panels: readonly PanelRow[]
  readonly isArranged: boolean
  readonly record: HomeRecord | undefined
  readonly shelves: Readonly<Record<Shelf, readonly number[]>>
  readonly featured: Murmuration[]
  readonly special: Murmuration[]
}
type Shelf =
  | 'memoirs'
  | 'writersDilemma'
  | 'editions'
  | 'highlights'
  | 'featured'
  | 'picked'
  | 'newest'
  | 'inStep'
  | 'mostHeard'
  | 'byName'

const homeContents = catalogueCache<HomeContent>(1)

/** Only an import and the office change the home page. */
export const homeContent = (shop: Pick<Shop, 'db' | 'caches' | 'config'>): Promise<HomeContent> =>
  homeContents(shop).of('', async () => {
    const { db } = shop
    const arranged = await selectPanels(db)
    /** The titles that the owner chose for a panel, else those that are marked for it. */
    const chosen = async (section: HomeSection, marked: () => Promise<readonly number[]>) => {
      const slugs = arranged.find((panel) => panel.section === section)?.titles
      return slugs ? (await selectBookIds(db, slugs)).slice(0, SHOWN) : marked()
    }
    const [record, memoirs, writersDilemma, editions, highlights, ids, featured, special] = await Promise.all(
      [
        selectRecord<HomeRecord>(db, 'home'),
        chosen('astonishingMemoirs', () => selectShelf(db, 'memoirs', SHOWN)),
        chosen('writersDilemma', () => selectShelf(db, 'writersDilemma', SHOWN)),
        chosen('editions', () => selectShelf(db, 'editions', SHOWN)),
        chosen('currentHighlights', () => selectShelf(db, 'highlights', SHOWN)),
        chosen('featuredAudioBook', async () => (await listFeatured(shop, SHOWN)).ids),
        markedMurmurations(shop, 'featured'),
        markedMurmurations(shop, 'special'),
      ],
    )
    const newest = await selectShelfTitles(db, 'newest', SHOWN)
    const panels = arranged.length > 0 || newest.length === 0 ? arranged : panelsOf(shop.config.details)
    const shows = (section: HomeSection) => panels.some((panel) => panel.section === section && panel.visible)
    const picked = shows('guestPicks') ? await selectBookIds(db, record?.guestPicks ?? []) : []
    const inStep = shows('inStep') ? await selectInStep(db, SHOWN) : []
    const mostHeard = shows('mostHeard') ? await selectMostHeard(db, SHOWN) : []
    const byName = shows('allTitles') ? await selectShelfTitles(db, 'name', SHOWN) : []
    const shelves = {
      ...{ memoirs, writersDilemma, editions, highlights, featured: ids },
      ...{ picked, newest: shows('newTitles') ? newest : [], inStep, mostHeard, byName },
    }
    return { panels, isArranged: arranged.length > 0, record, shelves, featured, special }
  })

export const booksAtHome = ({ shelves }: HomeContent): number[] => Object.values(shelves).flat()

/** The home page of a shop that has not arranged its own. */
export const panelsOf = ({ name, file }: OwnersDetails): PanelRow[] =>
  (
    [
      ['curatedIntroPicks', name],
      ['featuredAudioBook', 'Featured'],
      ['guestPicks', 'Our picks'],
      ['newTitles', 'New'],
      ['inStep', 'Read and listen in step'],
      ['mostHeard', 'Most heard'],
      ['currentHighlights', 'Current highlights'],
      ['allTitles', 'All titles'],
      ['murmurations', file.journal ?? 'Journal'],
      ['howItWorks', 'How it works'],
    ] as const
  ).map(([section, title], index) => ({
    section,
    title,
    weight: (index + 1) * 10,
    visible: true,
    seenBy: 'everyone',
    titles: null,
  }))

/** For whom a panel can be: “visitors” have no account; members are among the accounts. */
export async function audienceOf(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  { panels }: HomeContent,
  { userId }: Reader,
): Promise<readonly SeenBy[]> {
  if (userId === null) return ['everyone', 'visitors']
  if (panels.every(({ seenBy }) => seenBy !== 'members')) return ['everyone', 'accounts']
  const { tier } = await entitlementOf(db, userId, clock.now())
  return tier === null ? ['everyone', 'accounts'] : ['everyone', 'accounts', 'members']
}

export async function homepage(
  shop: Pick<Shop, 'db' | 'caches' | 'config'>,
  content: HomeContent,
  reader: Reader,
  audience: readonly SeenBy[],
): Promise<HomepagePanel> {
  const { panels, record, shelves, featured, special } = content
  const cards = new Map(
    (await cardsOf(shop, [...new Set(booksAtHome(content))], reader)).map((card) => [card.id, card]),
  )
  const titlesOn = (shelf: Shelf) => shelves[shelf].flatMap((id) => cards.get(id) ?? [])
  const on = (shelf: Shelf) => titlesOn(shelf).filter(isAudioCard)
  const { details } = shop.config
  const arranged = new Map(panels.map((panel) => [panel.section, panel]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of every section there is one
  const sections = Object.fromEntries(
    HOME_SECTIONS.map((section) => {
      const panel = arranged.get(section)
      const part = PART_OF[section]
      const visible =
        panel !== undefined &&
        panel.visible &&
        audience.includes(panel.seenBy) &&
        (!part || details.has(part))
      return [section, { weight: panel?.weight ?? 0, visible, ...splitItalics(panel?.title ?? '') }]
    }),
  ) as Pick<HomepagePanel, HomeSection>
  return {
    '@id': '/api/homepage_panels/1',
    '@type': 'HomepagePanel',
    ...sections,
    introText: {
      visitor: record?.introText?.visitor ?? (content.isArranged ? '' : (details.file.about ?? '')),
      // The text for signed-in users invites them to join, so it needs the membership part.
      user:
        record?.introText?.[details.has('membership') ? 'user' : 'visitor'] ??
        record?.introText?.visitor ??
        '',
      member: record?.introText?.member ?? '',
    },
    aboutText: record?.aboutText ?? '',
    astonishingMemoirsAudioBooks: on('memoirs'),
    writersDilemmaAudioBooks: on('writersDilemma'),
    featuredAudioBooks: on('featured'),
    editionAudioBooks: details.has('editions') ? on('editions') : [],
    highlightAudioBooks: on('highlights'),
    pickedTitles: titlesOn('picked'),
    newestTitles: titlesOn('newest'),
    inStepTitles: titlesOn('inStep'),
    mostHeardTitles: titlesOn('mostHeard'),
    titlesByName: titlesOn('byName'),
    featuredMurmurations: details.has('journal') ? featured : [],
    specialFeaturedMurmurations: details.has('journal') ? special : [],
    appStoreLink: record?.appStoreLink ?? null,
    playStoreLink: record?.playStoreLink ?? null,
  }
}

const PART_OF: Readonly<Partial<Record<HomeSection, ShopPart>>> = {
  editions: 'editions',
  murmurations: 'journal',
}

export const markedMurmurations = async (
  shop: Pick<Shop, 'db' | 'caches'>,
  mark: 'featured' | 'special',
): Promise<Murmuration[]> => murmurationsOf(shop.db, await selectMarkedItems(shop.db, mark, SHOWN))

const picks = catalogueCache<readonly PickRow[]>(1)
const guestPickIds = catalogueCache<readonly number[]>(1)

export const staffPicks = (shop: Pick<Shop, 'db' | 'caches'>): Promise<readonly PickRow[]> =>
  picks(shop).of('', () => selectPicks(shop.db))

/** A pick whose book was deleted keeps its text. */
export async function staffPicksFor(
  shop: Pick<Shop, 'db' | 'caches'>,
  picked: readonly PickRow[],
  reader: Reader,
): Promise<StaffPick[]> {
  const ids = picked.flatMap(({ book_id: bookId }) => bookId ?? [])
  const cards = new Map((await audioCardsOf(shop, ids, reader)).map((card) => [card.id, card]))
  return picked.map((row) => ({
    '@id': `/api/staff_pick_blocks/${row.id}`,
    '@type': 'StaffPick',
    visible: row.visible,
    title: row.title,
    description: row.description,
    author: row.author,
    audioBook: (row.book_id !== null && cards.get(row.book_id)) || null,
  }))
}

export const guestPicks = (shop: Pick<Shop, 'db' | 'caches'>): Promise<readonly number[]> =>
  guestPickIds(shop).of('', async () => {
    if (await isHidden(shop, 'guestPicks')) return []
    const record = await selectRecord<HomeRecord>(shop.db, 'home')
    return selectBookIds(shop.db, record?.guestPicks ?? [])
  })

export async function panelPublishers(shop: Pick<Shop, 'db'>) {
  if (await isHidden(shop, 'publishers')) return []
  const record = await selectRecord<HomeRecord>(shop.db, 'home')
  return selectPublishersBySlug(shop.db, record?.publishers ?? [])
}

/** A panel that the owner did not arrange is not hidden; it is just no section of the home page. */
const isHidden = async ({ db }: Pick<Shop, 'db'>, section: string): Promise<boolean> =>
  (await selectPanels(db)).some((panel) => panel.section === section && !panel.visible)

/** `Good books, *said* softly.` has one word in italics. */
function splitItalics(title: string): { title: string; italic: string | null } {
  const [before, italic, after] = /^([^*]*)\*([^*]+)\*([^*]*)$/.exec(title)?.slice(1) ?? []
  return italic === undefined ? { title, italic: null } : { title: `${before}${italic}${after}`, italic }
}
