import type { AudioBookCard } from '#contract/catalogue.ts'
import type { HomepagePanel, HomeSection, StaffPick } from '#contract/home.ts'
import { HOME_SECTIONS } from '#contract/limits.ts'
import type { Murmuration } from '#contract/editorial.ts'
import type { Shop } from '../../shop.ts'
import { audioCardsOf, isAudioCard, listFeatured, type Reader } from '../catalogue/rules.ts'
import { murmurationsOf } from '../editorial/rules.ts'
import {
  selectBookIds,
  selectMarkedItems,
  selectPanels,
  selectPicks,
  selectPublishersBySlug,
  selectRecord,
  selectShelf,
} from './rows.ts'

/** A carousel of the home page shows at most eight (HOME-15). */
const SHOWN = 8

/** The content of an owner's `home.json` beside the panels. */
interface HomeRecord {
  readonly introText?: Partial<HomepagePanel['introText']>
  readonly aboutText?: string
  readonly appStoreLink?: string
  readonly playStoreLink?: string
  /** Slugs, in the owner's order. */
  readonly guestPicks?: readonly string[]
  readonly publishers?: readonly string[]
}

/** The home page as its owner arranged it; a section nobody arranged is not visible. */
export async function homepage(shop: Pick<Shop, 'db' | 'answers'>, reader: Reader): Promise<HomepagePanel> {
  const { db } = shop
  const books = async (ids: Promise<number[]>) => audioCardsOf(shop, await ids, reader)
  const [panels, record, memoirs, dilemma, editions, highlights, featured, marked, special] =
    await Promise.all([
      selectPanels(db),
      selectRecord<HomeRecord>(db, 'home'),
      books(selectShelf(db, 'memoirs', SHOWN)),
      books(selectShelf(db, 'writersDilemma', SHOWN)),
      books(selectShelf(db, 'editions', SHOWN)),
      books(selectShelf(db, 'highlights', SHOWN)),
      listFeatured(shop, SHOWN, reader),
      markedMurmurations(shop, 'featured'),
      markedMurmurations(shop, 'special'),
    ])
  const arranged = new Map(panels.map((panel) => [panel.section, panel]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of every section there is one
  const sections = Object.fromEntries(
    HOME_SECTIONS.map((section) => {
      const { weight, visible, title } = arranged.get(section) ?? { weight: 0, visible: false, title: '' }
      return [section, { weight, visible, ...written(title) }]
    }),
  ) as Pick<HomepagePanel, HomeSection>
  return {
    '@id': '/api/homepage_panels/1',
    '@type': 'HomepagePanel',
    ...sections,
    introText: {
      visitor: record?.introText?.visitor ?? '',
      user: record?.introText?.user ?? '',
      member: record?.introText?.member ?? '',
    },
    aboutText: record?.aboutText ?? '',
    astonishingMemoirsAudioBooks: memoirs,
    writersDilemmaAudioBooks: dilemma,
    featuredAudioBooks: featured.cards.filter(isAudioCard),
    editionAudioBooks: editions,
    highlightAudioBooks: highlights,
    featuredMurmurations: marked,
    specialFeaturedMurmurations: special,
    appStoreLink: record?.appStoreLink ?? null,
    playStoreLink: record?.playStoreLink ?? null,
  }
}

export const markedMurmurations = async (
  shop: Pick<Shop, 'db' | 'answers'>,
  mark: 'featured' | 'special',
): Promise<Murmuration[]> => murmurationsOf(shop.db, await selectMarkedItems(shop.db, mark, SHOWN))

/** Visible picks with their books; a pick whose book is gone keeps its words. */
export async function staffPicks(shop: Pick<Shop, 'db' | 'answers'>, reader: Reader): Promise<StaffPick[]> {
  const rows = await selectPicks(shop.db)
  const ids = rows.flatMap(({ book_id: bookId }) => (bookId === null ? [] : [bookId]))
  const cards = new Map((await audioCardsOf(shop, ids, reader)).map((card) => [card.id, card]))
  return rows.map((row) => ({
    '@id': `/api/staff_pick_blocks/${row.id}`,
    '@type': 'StaffPick',
    visible: row.visible,
    title: row.title,
    description: row.description,
    author: row.author,
    audioBook: (row.book_id !== null && cards.get(row.book_id)) || null,
  }))
}

/** Nothing where the owner keeps the panel out of sight. */
export async function guestPicks(
  shop: Pick<Shop, 'db' | 'answers'>,
  reader: Reader,
): Promise<AudioBookCard[]> {
  if (await isHidden(shop, 'guestPicks')) return []
  const record = await selectRecord<HomeRecord>(shop.db, 'home')
  const ids = await selectBookIds(shop.db, record?.guestPicks ?? [])
  return audioCardsOf(shop, ids, reader)
}

export async function panelPublishers(shop: Pick<Shop, 'db' | 'answers'>) {
  if (await isHidden(shop, 'publishers')) return []
  const record = await selectRecord<HomeRecord>(shop.db, 'home')
  return selectPublishersBySlug(shop.db, record?.publishers ?? [])
}

/** A panel that nobody arranged is not hidden: it is simply no section of the home page. */
const isHidden = async ({ db }: Pick<Shop, 'db'>, section: string): Promise<boolean> =>
  (await selectPanels(db)).some((panel) => panel.section === section && !panel.visible)

/** A title as its owner wrote it, with one word between asterisks: `Good books, *said* softly.` */
function written(title: string): { title: string; italic: string | null } {
  const [before, italic, after] = /^([^*]*)\*([^*]+)\*([^*]*)$/.exec(title)?.slice(1) ?? []
  return italic === undefined ? { title, italic: null } : { title: `${before}${italic}${after}`, italic }
}
