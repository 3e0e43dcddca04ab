import * as contract from '#contract/home.ts'
import { hydraList } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { audioCardsOf, marksOn, readerOf } from '../catalogue/service.ts'
import type { Shop } from '../../shop.ts'
import { selectMenu, selectPanels, selectRecord } from './queries.ts'
import {
  audienceOf,
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
  'inStep',
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
  serve(server, contract.getHomepagePanels, async (call) => {
    const [content, reader] = await Promise.all([homeContent(shop), readerOf(shop, call)])
    const audience = await audienceOf(shop, content, reader)
    const facts = `${audience.at(-1)} ${marksOn(booksAtHome(content), reader)}`
    return call.sameFor(facts, async () =>
      wholeList('HomepagePanel', call.url, [await homepage(shop, content, reader, audience)]),
    )
  })
  serve(server, contract.listStaffPicks, async (call) => {
    const [picks, reader] = await Promise.all([staffPicks(shop), readerOf(shop, call)])
    const books = picks.flatMap(({ book_id: id }) => id ?? [])
    return call.sameFor(marksOn(books, reader), async () =>
      wholeList('StaffPick', call.url, await staffPicksFor(shop, picks, reader)),
    )
  })
  serve(server, contract.listBasicPanels, async ({ url }) =>
    wholeList(
      'HomePanel',
      url,
      (await selectPanels(db))
        .filter(({ section, visible }) => visible && !HOLDING.has(section))
        .map(({ section, weight, visible, title }) => ({
          '@id': `/api/home_panels_basic/${section}`,
          '@type': 'HomePanel' as const,
          section,
          weight,
          visible,
          title,
        })),
    ),
  )
  serve(server, contract.listGuestPicks, async (call) => {
    const [ids, reader] = await Promise.all([guestPicks(shop), readerOf(shop, call)])
    return call.sameFor(marksOn(ids, reader), async () =>
      wholeList('AudioBook', call.url, await audioCardsOf(shop, ids, reader)),
    )
  })
  serve(server, contract.listPanelPublishers, async ({ url }) =>
    wholeList(
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
    return wholeList('MurmurationBlock', url, [
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
    return wholeList(
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
    wholeList('MenuEntry', url, await menuOf(shop, 'main')),
  )
  serve(server, contract.listSearchMenuEntries, async ({ url }) =>
    wholeList('MenuEntry', url, await menuOf(shop, 'search')),
  )
}

export async function menuOf({ db, config }: Pick<Shop, 'db' | 'config'>, menu: 'main' | 'search') {
  const path = menu === 'main' ? 'menu_entries' : 'search_menu_entries'
  return (await selectMenu(db, menu, config.details.without))
    .filter(({ url }) => config.details.isOpen(url))
    .map(({ id, group, title, url, style }) => ({
      '@id': `/api/${path}/${id}`,
      '@type': 'MenuEntry' as const,
      title,
      url,
      style,
      group,
    }))
}

export const wholeList = <M>(type: string, url: string, members: M[]) =>
  hydraList({
    type,
    url,
    members,
    total: members.length,
    page: 1,
    itemsPerPage: Math.max(1, members.length),
  })
