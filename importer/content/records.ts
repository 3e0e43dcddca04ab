import { isDeepStrictEqual } from 'node:util'
import { asc, eq, gt, notInArray, sql } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import type { Transaction } from '#server/db/open.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { contentRecords, homePanels, menuEntries, staffPicks } from '#server/db/schema/pages.ts'
import { ImportRefused } from '../refused.ts'
import { readDiscounts } from './discounts.ts'
import { readJson } from './files.ts'
import { picturedFile } from './pictures.ts'
import { type Applying, changedBy, created, type Piece, piece } from './piece.ts'
import { HomeFile, MembershipFile, MenusFile, PromoFile, SettingsFile } from './schemas.ts'
import { bookIdsOf, knownPublishers } from './vocabularies.ts'

/** The order of the keys is the order in which the files are read. */
export const RECORD_FILES: Readonly<Record<string, (path: string) => Promise<Piece>>> = {
  'menus.json': readMenus,
  'home.json': readHome,
  'membership.json': readMembership,
  'promo.json': (path) => readPlain(path, 'promo', PromoFile, 'promotions'),
  'discounts.json': readDiscounts,
  'settings.json': (path) => readPlain(path, 'settings', SettingsFile, 'settings'),
}

type Store = (tx: Transaction) => Promise<void>

async function readPlain(path: string, name: string, schema: TSchema, about: string): Promise<Piece> {
  const content = await readJson(path, schema)
  return piece(about, (tx, { dryRun }) => applyRecord(tx, name, content, dryRun))
}

async function readMembership(path: string): Promise<Piece> {
  const { image, ...texts } = await readJson(path, MembershipFile)
  const picture = image === undefined ? undefined : await picturedFile(path, image)
  const address = picture ? `/media/covers/${picture.id.slice(0, 2)}/${picture.id}-900.webp` : null
  return piece(
    'membership page',
    (tx, { dryRun }) => applyRecord(tx, 'membership', { ...texts, image: address }, dryRun),
    { pictures: picture ? [picture] : [] },
  )
}

async function applyRecord(tx: Transaction, name: string, content: unknown, dryRun: boolean) {
  const [standing] = await tx.select().from(contentRecords).where(eq(contentRecords.name, name))
  const same = standing && isDeepStrictEqual(standing.content, content)
  if (!dryRun && !same)
    await tx
      .insert(contentRecords)
      .values({ name, content })
      .onConflictDoUpdate({ target: contentRecords.name, set: { content } })
  return standing ? changedBy(same ? [] : ['text']) : created
}

async function readMenus(path: string): Promise<Piece> {
  const menus = await readJson(path, MenusFile)
  const count = Object.values(menus).reduce((sum, entries) => sum + entries.length, 0)
  return piece(`menus, ${count} entries`, async (tx, { dryRun }) => {
    let stood = 0
    const changes: string[] = []
    for (const menu of ['main', 'search'] as const) {
      const given = menus[menu]?.map(({ style, ...entry }) => ({ ...entry, style: style ?? null }))
      const standing = await selectMenu(tx, menu)
      stood += standing.length
      // A menu that the file does not mention stays as it is.
      if (!given || isDeepStrictEqual(standing, given)) continue
      changes.push(menu === 'main' ? 'main menu' : 'search shortcuts')
      if (dryRun) continue
      await tx.delete(menuEntries).where(eq(menuEntries.menu, menu))
      if (given.length > 0)
        await tx
          .insert(menuEntries)
          .values(given.map((entry, index) => ({ menu, position: index + 1, ...entry })))
    }
    return stood === 0 && changes.length > 0 ? created : changedBy(changes)
  })
}

const selectMenu = (tx: Transaction, menu: 'main' | 'search') =>
  tx
    .select({
      group: menuEntries.group,
      title: menuEntries.title,
      url: menuEntries.url,
      style: menuEntries.style,
    })
    .from(menuEntries)
    .where(eq(menuEntries.menu, menu))
    .orderBy(asc(menuEntries.position))

async function readHome(path: string): Promise<Piece> {
  const { panels, staffPicks: picks, ...record } = await readJson(path, HomeFile)
  return piece('home page', async (tx, applying) => {
    await refuseUnknown(tx, record, picks ?? [], applying)
    const stores: Store[] = []
    const changes: string[] = []
    const stood = await tx.select().from(homePanels).orderBy(asc(homePanels.section))
    if (panels) {
      const given = panels
        .map(({ visible = true, ...panel }) => ({ ...panel, visible }))
        .toSorted((one, two) => (one.section < two.section ? -1 : 1))
      if (!isDeepStrictEqual(stood, given)) {
        changes.push('panels')
        stores.push((into) => storePanels(into, given))
      }
    }
    if (picks && (await differ(tx, picks))) {
      changes.push('staff picks')
      stores.push((into) => storePicks(into, picks))
    }
    const { outcome } = await applyRecord(tx, 'home', record, applying.dryRun)
    if (outcome !== 'same') changes.push('texts')
    if (!applying.dryRun) for (const store of stores) await store(tx)
    return outcome === 'created' && stood.length === 0 ? created : changedBy(changes)
  })
}

type Pick = NonNullable<HomeFile['staffPicks']>[number]

async function refuseUnknown(
  tx: Transaction,
  { guestPicks = [], publishers = [] }: Omit<HomeFile, 'staffPicks' | 'panels'>,
  picks: readonly Pick[],
  { coming }: Applying,
): Promise<void> {
  const titles = [...guestPicks, ...picks.flatMap(({ audioBook }) => audioBook ?? [])]
  const known = await bookIdsOf(tx, titles)
  const houses = await knownPublishers(tx, publishers)
  const unknown = [
    ...titles
      .filter((slug) => !known.has(slug) && !coming.books.has(slug))
      .map((slug) => `No book is called “${slug}”.`),
    ...publishers
      // The publisher may be created by a title of the same run.
      .filter((slug) => !houses.has(slug) && !coming.publishers.has(slug) && coming.books.size === 0)
      .map((slug) => `No publisher is called “${slug}”.`),
  ]
  if (unknown.length > 0) throw new ImportRefused(...new Set(unknown))
}

async function storePanels(
  tx: Transaction,
  panels: readonly (typeof homePanels.$inferInsert)[],
): Promise<void> {
  await tx.delete(homePanels).where(
    notInArray(
      homePanels.section,
      panels.map(({ section }) => section),
    ),
  )
  for (const panel of panels)
    await tx.insert(homePanels).values(panel).onConflictDoUpdate({ target: homePanels.section, set: panel })
}

const audiobookId = (slug: string | undefined) =>
  slug === undefined
    ? null
    : sql<number>`(select ${books.id} from ${books} where ${books.slug} = ${slug} and ${books.format} = 'audio_book')`

async function differ(tx: Transaction, picks: readonly Pick[]): Promise<boolean> {
  const standing = await tx
    .select({
      visible: staffPicks.visible,
      title: staffPicks.title,
      description: staffPicks.description,
      author: staffPicks.author,
      audioBook: books.slug,
    })
    .from(staffPicks)
    .leftJoin(books, eq(books.id, staffPicks.bookId))
    .orderBy(asc(staffPicks.position))
  return !isDeepStrictEqual(
    standing,
    picks.map(({ visible = true, title, description, author, audioBook = null }) => ({
      visible,
      title,
      description,
      author,
      audioBook,
    })),
  )
}

async function storePicks(tx: Transaction, picks: readonly Pick[]): Promise<void> {
  for (const [index, { audioBook, visible = true, ...texts }] of picks.entries()) {
    const values = { ...texts, visible, bookId: audiobookId(audioBook) }
    await tx
      .insert(staffPicks)
      .values({ position: index + 1, ...values })
      .onConflictDoUpdate({ target: staffPicks.position, set: values })
  }
  await tx.delete(staffPicks).where(gt(staffPicks.position, picks.length))
}
