import { asc, eq, sql } from 'drizzle-orm'
import { HomeContent, MenusContent, type Missing } from '#contract/office/documents.ts'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { contentRecords, homePanels, menuEntries, staffPicks } from '../../db/schema/pages.ts'
import { type HomeRecord, panelsOf } from '../home/service.ts'
import { storeMenu, storePanels, storePicks, storeRecord } from '../home/write-queries.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'
import { type DocumentType, isAddress, isBlank } from './document-type.ts'

export const menusType: DocumentType<MenusContent> = {
  schema: MenusContent,
  async read(db) {
    const rows = await db.select().from(menuEntries).orderBy(asc(menuEntries.position), asc(menuEntries.id))
    const of = (wanted: 'main' | 'search') =>
      rows
        .filter(({ menu }) => menu === wanted)
        .map(({ group, title, url, style, hidden }) => ({ group, title, url, style, hidden }))
    return { content: { main: of('main'), search: of('search') }, isShown: true }
  },
  async write(db, _key, content) {
    await storeMenu(db, 'main', content.main)
    await storeMenu(db, 'search', content.search)
  },
  async missing(_db, content) {
    return (['main', 'search'] as const).flatMap((menu) =>
      content[menu].flatMap(({ title, url }, at): Missing[] => [
        ...(isBlank(title) ? [{ field: `${menu}.${at}.title`, words: 'This entry needs a name.' }] : []),
        ...(isAddress(url)
          ? []
          : [{ field: `${menu}.${at}.url`, words: `“${title}” leads to https:// or a page (/browse).` }]),
      ]),
    )
  },
  titleOf: () => 'Menus',
  addressOf: () => '/',
}

export const homeType: DocumentType<HomeContent> = {
  schema: HomeContent,
  read: async (db, _key, details) => ({ content: await readHome(db, details), isShown: true }),
  async write(db, _key, { panels, staffPicks: picks, appStoreLink, playStoreLink, ...texts }) {
    await storePanels(
      db,
      panels.map(({ from, until, ...panel }, index) => ({
        ...panel,
        weight: (index + 1) * 10,
        shownFrom: from === null ? null : new Date(from),
        shownUntil: until === null ? null : new Date(until),
      })),
    )
    await storePicks(db, picks)
    await storeRecord(db, 'home', {
      ...texts,
      ...(appStoreLink && { appStoreLink }),
      ...(playStoreLink && { playStoreLink }),
    })
  },
  missing: missingOfHome,
  titleOf: () => 'Home page',
  addressOf: () => '/',
}

async function readHome(db: Db, details: OwnersDetails | undefined): Promise<HomeContent> {
  const [stored, picks, records] = await Promise.all([
    db.select().from(homePanels).orderBy(asc(homePanels.weight), asc(homePanels.section)),
    db
      .select({ pick: staffPicks, audioBook: books.slug })
      .from(staffPicks)
      .leftJoin(books, eq(books.id, staffPicks.bookId))
      .orderBy(asc(staffPicks.position)),
    db.select().from(contentRecords).where(eq(contentRecords.name, 'home')),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the import and `write` store it
  const record = (records[0]?.content ?? {}) as HomeRecord
  const panels =
    stored.length > 0 || !details
      ? stored
      : panelsOf(details).map((panel) => ({ ...panel, shownFrom: null, shownUntil: null }))
  return {
    panels: panels.map(({ section, title, visible, seenBy, shownFrom, shownUntil, titles }) => ({
      section,
      title,
      visible,
      seenBy,
      from: shownFrom?.toISOString() ?? null,
      until: shownUntil?.toISOString() ?? null,
      titles,
    })),
    introText: { visitor: '', user: '', member: '', ...record.introText },
    aboutText: record.aboutText ?? '',
    appStoreLink: record.appStoreLink ?? null,
    playStoreLink: record.playStoreLink ?? null,
    guestPicks: [...(record.guestPicks ?? [])],
    publishers: [...(record.publishers ?? [])],
    staffPicks: picks.map(({ pick: { title, description, author, visible }, audioBook }) => ({
      title,
      description,
      author,
      visible,
      audioBook,
    })),
  }
}

async function missingOfHome(
  db: Db,
  { panels, guestPicks, publishers, staffPicks: picks, appStoreLink, playStoreLink }: HomeContent,
): Promise<Missing[]> {
  const slugs = [
    ...panels.flatMap(({ section, titles }) => (titles ?? []).map((slug) => ({ field: section, slug }))),
    ...guestPicks.map((slug) => ({ field: 'guestPicks', slug })),
    ...picks.flatMap(({ audioBook }, at) =>
      audioBook === null ? [] : [{ field: `staffPicks.${at}.audioBook`, slug: audioBook }],
    ),
  ]
  const { rows: known } = await db.execute<{ slug: string }>(
    sql`select distinct slug from books where slug = any(${sql.param(slugs.map(({ slug }) => slug))}::text[])`,
  )
  const { rows: houses } = await db.execute<{ slug: string }>(
    sql`select slug from publishers where slug = any(${sql.param(publishers)}::text[])`,
  )
  const titles = new Set(known.map(({ slug }) => slug))
  const names = new Set(houses.map(({ slug }) => slug))
  return [
    ...panels.flatMap(({ section, title, visible, from, until }): Missing[] => [
      ...(visible && isBlank(title) ? [{ field: section, words: 'This panel needs a heading.' }] : []),
      ...(from !== null && until !== null && from >= until
        ? [{ field: section, words: `“${title}” would end before it begins.` }]
        : []),
    ]),
    ...picks.flatMap(({ title, description, author, visible }, at): Missing[] =>
      visible && [title, description, author].some(isBlank)
        ? [
            {
              field: `staffPicks.${at}`,
              words: 'A staff pick needs its heading, its words and who said them.',
            },
          ]
        : [],
    ),
    ...slugs
      .filter(({ slug }) => !titles.has(slug))
      .map(({ field, slug }) => ({ field, words: `The shop has no title “${slug}”.` })),
    ...publishers
      .filter((slug) => !names.has(slug))
      .map((slug) => ({ field: 'publishers', words: `The shop has no publisher “${slug}”.` })),
    ...[appStoreLink, playStoreLink]
      .filter((link) => link !== null && !isAddress(link))
      .map(() => ({ field: 'playerApp', words: 'A link begins with https://.' })),
  ]
}
