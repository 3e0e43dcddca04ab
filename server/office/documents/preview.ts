import type { Visitor } from '../../auth/in-process.ts'
import { Caches } from '../../caches.ts'
import type { Database } from '../../db/open.ts'
import { DOCUMENT_TYPES } from '../../features/documents/kinds.ts'
import type { DocumentType } from '../../features/documents/document-type.ts'
import type { DocumentName } from '../../features/documents/service.ts'
import { followMonth } from '../../features/catalogue/months.ts'
import { readerOf } from '../../features/catalogue/service.ts'
import { readItem } from '../../features/editorial/service.ts'
import { menuOf, wholeList } from '../../features/home/routes.ts'
import { audienceOf, homeContent, homepage, staffPicks, staffPicksFor } from '../../features/home/service.ts'
import { faqList, infoPage } from '../../features/pages/routes.ts'
import type { Shop } from '../../shop.ts'

/** What the API would answer, by path. */
export type Answers = ReadonlyMap<string, unknown>

class RolledBack extends Error {
  readonly answers: Answers
  constructor(answers: Answers) {
    super('A preview changes nothing.')
    this.answers = answers
  }
}

/**
 * Writes the content as publishing would, asks the shop's own services for what its page shows then, and rolls all of
 * it back: so a preview can't differ from the page.
 */
export async function answersWith(
  shop: Shop,
  name: DocumentName,
  content: Record<string, unknown>,
  visitor: Visitor,
): Promise<Answers> {
  try {
    await shop.db.transaction(async (tx) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked when it was saved
      const type = DOCUMENT_TYPES[name.kind] as unknown as DocumentType<Record<string, unknown>>
      await type.write(tx, name.key, content, shop.now())
      if (name.kind === 'month') await followMonth(tx, name.key, shop.now())
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the services only run queries
      const drafted = { ...shop, db: tx as unknown as Database, caches: new Caches({ generation: 0 }) }
      throw new RolledBack(await answersOf(drafted, name, visitor))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.answers
    throw error
  }
  return new Map()
}

async function answersOf(shop: Shop, { kind, key }: DocumentName, visitor: Visitor): Promise<Answers> {
  const reader = () => readerOf(shop, { caller: null, countries: [visitor.country] })
  switch (kind) {
    case 'page':
      return new Map([[`/api/info_pages/${key}`, await infoPage(shop, key)]])
    case 'faq':
      return new Map([['/api/f_a_q_categories', await faqList(shop, '/api/f_a_q_categories')]])
    case 'menus':
      return new Map([
        ['/api/menu_entries', wholeList('MenuEntry', '/api/menu_entries', await menuOf(shop, 'main'))],
        [
          '/api/search_menu_entries',
          wholeList('MenuEntry', '/api/search_menu_entries', await menuOf(shop, 'search')),
        ],
      ])
    case 'newsletter':
      return new Map()
    case 'month':
    case 'home': {
      const who = await reader()
      const home = await homeContent(shop)
      const panels = await homepage(shop, home, who, await audienceOf(shop, home, who))
      const picks = await staffPicksFor(shop, await staffPicks(shop), who)
      return new Map<string, unknown>([
        ['/api/homepage_panels', wholeList('HomepagePanel', '/api/homepage_panels', [panels])],
        ['/api/staff_pick_blocks', wholeList('StaffPick', '/api/staff_pick_blocks', picks)],
      ])
    }
    default:
      return new Map([[`/api/${kind}s/${key}`, await readItem(shop, kind, key, await reader())]])
  }
}
