import { listFeatured } from '../../features/catalogue/service.ts'
import { selectItems } from '../../features/editorial/queries.ts'
import {
  selectInStep,
  selectMarkedItems,
  selectMostHeard,
  selectShelf,
  selectShelfTitles,
} from '../../features/home/queries.ts'
import { SHOWN } from '../../features/home/service.ts'
import type { Shop } from '../../shop.ts'
import { selectTitlesById } from './queries.ts'

/** What each panel shows if the owner chose no titles for it. */
export async function markedTitles(shop: Pick<Shop, 'db' | 'caches'>) {
  const { db } = shop
  const shelves = await Promise.all(
    (
      [
        ['currentHighlights', selectShelf(db, 'highlights', SHOWN)],
        ['astonishingMemoirs', selectShelf(db, 'memoirs', SHOWN)],
        ['writersDilemma', selectShelf(db, 'writersDilemma', SHOWN)],
        ['editions', selectShelf(db, 'editions', SHOWN)],
        ['featuredAudioBook', listFeatured(shop, SHOWN).then(({ ids }) => ids)],
        ['newTitles', selectShelfTitles(db, 'newest', SHOWN)],
        ['inStep', selectInStep(db, SHOWN)],
        ['mostHeard', selectMostHeard(db, SHOWN)],
        ['allTitles', selectShelfTitles(db, 'name', SHOWN)],
      ] as const
    ).map(async ([section, ids]) => ({ section, ids: await ids })),
  )
  const known = new Map(
    (await selectTitlesById(db, [...new Set(shelves.flatMap(({ ids }) => ids))])).map((title) => [
      title.id,
      title,
    ]),
  )
  const ids = await selectMarkedItems(db, 'featured', SHOWN)
  const pieces = ids.length === 0 ? [] : await selectItems(db, { ids }, { offset: 0, limit: SHOWN })
  return {
    sections: shelves.map(({ section, ids: on }) => ({
      section,
      titles: on.flatMap((id) => known.get(id) ?? []),
    })),
    pieces: pieces.map(({ title }) => title),
  }
}
