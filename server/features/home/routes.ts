import * as contract from '#contract/home.ts'
import { hydraList } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { audioCardsOf, marksOn, readerOf } from '../catalogue/service.ts'
import { selectMenu, selectPanels, selectRecord, type MenuRow } from './queries.ts'
import {
  booksAtHome,
  guestPicks,
  homeContent,
  homepage,
  markedMurmurations,
  panelPublishers,
  staffPicks,
  staffPicksFor,
} from './service.ts'

const HOLDING = new Set([
  'astonishingMemoirs',
  'featuredAudioBook',
  'editions',
  'writersDilemma',
  'murmurations',
  'currentHighlights',
])

interface Promo {
  readonly title: string
  readonly text: string
  readonly link?: string
  readonly linkTitle?: string
}

export function registerHome(server: ApiServer): void {
  const { shop } = server
  const { db } = shop
  const isOpen = (link: string | undefined) => link === undefined || shop.config.details.isOpen(link)
  const menu = async (of: 'main' | 'search') =>
    (await selectMenu(db, of, shop.config.details.without)).filter(({ url }) => isOpen(url))
  const whole = <M>(type: string, url: string, members: M[]) =>
    hydraList({
      type,
      url,
      members,
      total: members.length,
      page: 1,
      itemsPerPage: Math.max(1, members.length),
    })
  serve(server, contract.getHomepagePanels, async (call) => {
    const [content, reader] = await Promise.all([homeContent(shop), readerOf(shop, call)])
    return call.sameFor(marksOn(booksAtHome(content), reader), async () =>
      whole('HomepagePanel', call.url, [await homepage(shop, content, reader)]),
    )
  })
  serve(server, contract.listStaffPicks, async (call) => {
    const [picks, reader] = await Promise.all([staffPicks(shop), readerOf(shop, call)])
    const books = picks.flatMap(({ book_id: id }) => id ?? [])
    return call.sameFor(marksOn(books, reader), async () =>
      whole('StaffPick', call.url, await staffPicksFor(shop, picks, reader)),
    )
  })
  serve(server, contract.listBasicPanels, async ({ url }) =>
    whole(
      'HomePanel',
      url,
      (await selectPanels(db))
        .filter(({ section, visible }) => visible && !HOLDING.has(section))
        .map((panel) => ({
          '@id': `/api/home_panels_basic/${panel.section}`,
          '@type': 'HomePanel' as const,
          ...panel,
        })),
    ),
  )
  serve(server, contract.listGuestPicks, async (call) => {
    const [ids, reader] = await Promise.all([guestPicks(shop), readerOf(shop, call)])
    return call.sameFor(marksOn(ids, reader), async () =>
      whole('AudioBook', call.url, await audioCardsOf(shop, ids, reader)),
    )
  })
  serve(server, contract.listPanelPublishers, async ({ url }) =>
    whole(
      'Publisher',
      url,
      (await panelPublishers(shop)).map((row) => ({
        '@id': `/api/publishers/${row.slug}`,
        '@type': 'Publisher' as const,
        ...row,
      })),
    ),
  )
  serve(server, contract.listMurmurationBlocks, async ({ url }) => {
    const [featuredMurmurations, specialFeaturedMurmurations] = await Promise.all([
      markedMurmurations(shop, 'featured'),
      markedMurmurations(shop, 'special'),
    ])
    return whole('MurmurationBlock', url, [
      {
        '@id': '/api/murmuration_blocks/1',
        '@type': 'MurmurationBlock' as const,
        featuredMurmurations,
        specialFeaturedMurmurations,
      },
    ])
  })
  serve(server, contract.listPromoBlocks, async ({ url }) => {
    const promos = (await selectRecord<Promo[]>(db, 'promo')) ?? []
    return whole(
      'PromoBlock',
      url,
      promos
        .filter(({ link }) => isOpen(link))
        .map(({ title, text, link, linkTitle }, index) => ({
          '@id': `/api/promo_blocks/${index + 1}`,
          '@type': 'PromoBlock' as const,
          title,
          text,
          link: link ?? null,
          linkTitle: linkTitle ?? null,
        })),
    )
  })
  serve(server, contract.listMenuEntries, async ({ url }) =>
    whole('MenuEntry', url, (await menu('main')).map(menuView('menu_entries'))),
  )
  serve(server, contract.listSearchMenuEntries, async ({ url }) =>
    whole('MenuEntry', url, (await menu('search')).map(menuView('search_menu_entries'))),
  )
}

const menuView =
  (path: string) =>
  ({ id, group, title, url, style }: MenuRow) => ({
    '@id': `/api/${path}/${id}`,
    '@type': 'MenuEntry' as const,
    title,
    url,
    style,
    group,
  })
