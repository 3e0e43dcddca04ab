import { isDeepStrictEqual } from 'node:util'
import { asc, eq } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import type { Transaction } from '#server/db/open.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { contentRecords, homePanels, menuEntries, staffPicks } from '#server/db/schema/pages.ts'
import {
  storeMenu,
  storePanels,
  storePicks,
  storeRecord,
  type WrittenPick,
} from '#server/features/home/write-queries.ts'
import { keptByOffice } from '#server/features/documents/folder.ts'
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
  if (!dryRun && !same) await storeRecord(tx, name, content)
  return standing ? changedBy(same ? [] : ['text']) : created
}

async function readMenus(path: string): Promise<Piece> {
  const menus = await readJson(path, MenusFile)
  const count = Object.values(menus).reduce((sum, entries) => sum + entries.length, 0)
  return piece(`menus, ${count} entries`, async (tx, { dryRun }) => {
    const kept = await keptByOffice(tx, { kind: 'menus', key: 'menus', dryRun }, (live) => ({
      main: menus.main?.map(menuEntry) ?? live.main,
      search: menus.search?.map(menuEntry) ?? live.search,
    }))
    if (kept) return { ...changedBy([]), warnings: kept.notes }
    let stood = 0
    const changes: string[] = []
    for (const menu of ['main', 'search'] as const) {
      const given = menus[menu]?.map(({ style, ...entry }) => ({ ...entry, style: style ?? null }))
      const standing = await selectMenu(tx, menu)
      stood += standing.length
      // A menu that the file does not mention stays as it is.
      if (!given || isDeepStrictEqual(standing, given)) continue
      changes.push(menu === 'main' ? 'main menu' : 'search shortcuts')
      if (!dryRun) await storeMenu(tx, menu, given)
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

const menuEntry = ({ style, ...entry }: NonNullable<MenusFile['main']>[number]) => ({
  ...entry,
  style: style ?? null,
  hidden: false,
})

async function readHome(path: string): Promise<Piece> {
  const { panels, staffPicks: picks, ...record } = await readJson(path, HomeFile)
  return piece('home page', async (tx, applying) => {
    await refuseUnknown(tx, record, picks ?? [], applying)
    const kept = await keptByOffice(tx, { kind: 'home', key: 'home', dryRun: applying.dryRun }, (live) => ({
      ...live,
      ...(panels && { panels: panels.toSorted((one, two) => one.weight - two.weight).map(panelOfFile) }),
      introText: { visitor: '', user: '', member: '', ...record.introText },
      aboutText: record.aboutText ?? '',
      appStoreLink: record.appStoreLink ?? null,
      playStoreLink: record.playStoreLink ?? null,
      guestPicks: record.guestPicks ?? [],
      publishers: record.publishers ?? [],
      ...(picks && { staffPicks: picks.map(pickOfFile) }),
    }))
    if (kept) return { ...changedBy([]), warnings: kept.notes }
    const stores: Store[] = []
    const changes: string[] = []
    const stood = await tx
      .select({
        section: homePanels.section,
        title: homePanels.title,
        weight: homePanels.weight,
        visible: homePanels.visible,
      })
      .from(homePanels)
      .orderBy(asc(homePanels.section))
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
      stores.push((into) => storePicks(into, picks.map(pickOfFile)))
    }
    const { outcome } = await applyRecord(tx, 'home', record, applying.dryRun)
    if (outcome !== 'same') changes.push('texts')
    if (!applying.dryRun) for (const store of stores) await store(tx)
    return outcome === 'created' && stood.length === 0 ? created : changedBy(changes)
  })
}

type Pick = NonNullable<HomeFile['staffPicks']>[number]

const pickOfFile = ({ visible, audioBook, ...texts }: Pick): WrittenPick => ({
  ...texts,
  visible: visible ?? true,
  audioBook: audioBook ?? null,
})

const panelOfFile = ({ section, title, visible = true }: NonNullable<HomeFile['panels']>[number]) => ({
  section,
  title,
  visible,
  seenBy: 'everyone' as const,
  from: null,
  until: null,
  titles: null,
})

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
