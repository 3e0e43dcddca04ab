import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { coloursFor, type TitleColours } from '../covers/palette.ts'
import type { FoundSound } from '../found.ts'
import { readM4a, readMp3 } from '../readers/sound.ts'
import { ImportRefused } from '../refused.ts'
import { besides, checkerOf, instantOf, londonDay, readFrontMatter, readText } from './files.ts'
import {
  type DesiredItem,
  type Kind,
  type Timing,
  type Piece,
  type Applying,
  changedBy,
  created,
} from './piece.ts'
import { drawingOf, drawnPicture, type PlannedPicture, writtenPicture } from './pictures.ts'
import { bodyOf } from '#server/features/documents/markdown.ts'
import { ItemFile } from './schemas.ts'
import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '#server/db/open.ts'
import { bookEditorial, editorialAuthors } from '#server/db/schema/editorial.ts'
import type { Applied } from '../apply.ts'
import { keptByOffice } from '#server/features/documents/folder.ts'
import { htmlToMarkdown } from '#server/features/documents/html-to-markdown.ts'
import {
  findOrInsertTerm,
  findTerm,
  selectItem,
  writeItem,
} from '#server/features/editorial/write-queries.ts'
import { changedFields } from '../desired.ts'
import { fullName, slugOf } from '#server/features/catalogue/names.ts'
import { bookIdsOf } from './vocabularies.ts'

const check = checkerOf(ItemFile)

/** `editorial/{articles,interviews,discussions}/<slug>.md` */
export async function readItem(path: string, kind: Kind): Promise<Piece> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const file = check(keys, lines)
  const slug = basename(path, '.md')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 120)
    throw new ImportRefused(`The file’s name is its address: lower-case letters, digits and single hyphens.`)

  const seed = `${kind} ${slug}`
  const colours = file.colours?.background ? file.colours : coloursFor(seed)
  const pictures: PlannedPicture[] = []
  const kept = async (picture: Promise<PlannedPicture> | PlannedPicture): Promise<PlannedPicture> => {
    pictures.push(await picture)
    return picture
  }
  const picture =
    file.image === 'none'
      ? undefined
      : await kept(
          file.image === undefined
            ? drawnPicture(drawingOf(seed), colours, seed)
            : writtenPicture(path, file.image, colours, seed),
        )
  const { html, lost } = await bodyOf(body, ({ href }) =>
    kept(writtenPicture(path, href, colours, `${seed} ${pictures.length}`)),
  )
  const sound = file.audio === undefined ? undefined : await readSound(path, file.audio)
  const timing = timingOf(file)

  const desired: DesiredItem = {
    title: file.title,
    summary: file.summary?.trim() ?? '',
    shortDescription: file.shortDescription?.trim() ?? '',
    main: html,
    pictureId: picture?.id ?? null,
    altText: file.altText?.trim() ?? '',
    published: file.published ?? true,
    featured: file.featured ?? false,
    special: file.special ?? false,
    memberOnly: file.memberOnly ?? false,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the schema of the file
    minimumTier: file.memberOnly ? ((file.minimumTier as 'supporter' | 'reader') ?? null) : null,
    hideAuthor: file.hideAuthor ?? false,
    videoLink: file.videoLink ?? null,
    audioId: sound?.sha256 ?? null,
    link: file.link ?? null,
    linkTitle: file.linkTitle ?? null,
    metaDescription: file.metaDescription ?? null,
    metaKeywords: file.metaKeywords ?? null,
    ...eventOf(file),
    ...colourFields(colours),
    parts: partsOf(file),
    author: file.author ?? null,
    category: file.category ?? null,
    type: file.type ?? null,
    books: [...new Set(file.books)],
    timing: createHash('sha256').update(JSON.stringify(timing)).digest('hex'),
  }
  return {
    about: file.title,
    pictures,
    sounds: sound ? [sound] : [],
    warnings: [...lost, ...notes(file)],
    apply: (tx, applying) => applyItem(tx, { kind, slug, desired, timing }, applying),
  }
}

const eventOf = ({ place, placeNote, admission, goodToKnow, seats }: ItemFile) => ({
  place: place ?? null,
  placeNote: placeNote ?? null,
  admission: admission ?? null,
  goodToKnow: goodToKnow ?? [],
  seats: seats ?? null,
})

const colourFields = ({ background, container, text }: Partial<TitleColours>) => ({
  backgroundColour: background ?? null,
  containerColour: container ?? null,
  textColour: text ?? null,
})

async function readSound(path: string, name: string): Promise<FoundSound> {
  const sound = besides(path, name)
  const read = /\.mp3$/i.test(name) ? readMp3 : /\.m4a$/i.test(name) ? readM4a : undefined
  if (!read) throw new ImportRefused(`“${name}” is not an MP3 or M4A file.`)
  try {
    return await read(sound, name)
  } catch (error) {
    if (error instanceof ImportRefused)
      throw new ImportRefused(...error.reasons.map((reason) => `${name} ${reason}.`))
    throw new ImportRefused(`The sound ${name} is not beside the file.`)
  }
}

function partsOf({ parts, audio }: ItemFile): DesiredItem['parts'] {
  if (!parts) return null
  if (!audio) throw new ImportRefused('"parts" needs an "audio".')
  const timed = parts.map(({ at, title }) => {
    const [minutes = 0, seconds = 0] = at.split(':').map(Number)
    return { seconds: minutes * 60 + seconds, title }
  })
  if (timed.some(({ seconds }, index) => index > 0 && seconds <= timed[index - 1]!.seconds))
    throw new ImportRefused('"parts" has to be in the order of the recording.')
  return timed
}

function timingOf({ publishedAt, publishedDaysAgo, startsAt, startsInDays, from, until }: ItemFile): Timing {
  const both = (one: unknown, two: unknown, names: string) => {
    if (one !== undefined && two !== undefined) throw new ImportRefused(`Give ${names}, not both.`)
  }
  both(publishedAt, publishedDaysAgo, '"publishedAt" or "publishedDaysAgo"')
  both(startsAt, startsInDays, '"startsAt" or "startsInDays"')
  if ((from ?? until) !== undefined && startsAt === undefined && startsInDays === undefined)
    throw new ImportRefused('"from" and "until" need a day: "startsAt" or "startsInDays".')
  if (from !== undefined && startsAt?.includes(':'))
    throw new ImportRefused('Give the hour in "startsAt" or in "from", not in both.')
  if (until !== undefined && from === undefined && !startsAt?.includes(':'))
    throw new ImportRefused('"until" needs the hour of the beginning: "from".')
  for (const instant of [publishedAt, startsAt])
    if (instant !== undefined && !instantOf(instant))
      throw new ImportRefused(`${instant} is not a date in the calendar.`)
  return {
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(publishedDaysAgo === undefined ? {} : { publishedDaysAgo }),
    ...(startsAt === undefined ? {} : { startsAt }),
    ...(startsInDays === undefined ? {} : { startsInDays }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  }
}

function notes({ minimumTier, memberOnly, linkTitle, link, image, altText, ...file }: ItemFile): string[] {
  return [
    ...(file.seats !== undefined && file.startsAt === undefined && file.startsInDays === undefined
      ? ['"seats" only makes sense for an event with a day.']
      : []),
    ...(minimumTier && !memberOnly ? ['"minimumTier" only makes sense with "memberOnly".'] : []),
    ...(linkTitle && !link ? ['"linkTitle" needs a "link".'] : []),
    ...(image !== undefined && image !== 'none' && !altText
      ? ['The picture has no "altText" for people who cannot see it.']
      : []),
  ]
}

export interface PlannedItem {
  readonly kind: Kind
  readonly slug: string
  readonly desired: DesiredItem
  readonly timing: Timing
}

const DAY = 24 * 3_600_000

/** @throws `ImportRefused` for an unknown author or book */
export async function applyItem(
  tx: Transaction,
  { kind, slug, desired, timing }: PlannedItem,
  { now, dryRun, coming }: Applying,
): Promise<Applied> {
  const author = desired.author === null ? undefined : await authorCalled(tx, desired.author)
  const linked = await bookIdsOf(tx, desired.books)
  const unknown = [
    ...(desired.author !== null && !author && !coming.authors.has(desired.author)
      ? [`No author is called “${desired.author}”.`]
      : []),
    ...desired.books
      .filter((each) => !linked.has(each) && !coming.books.has(each))
      .map((each) => `No book is called “${each}”.`),
  ]
  if (unknown.length > 0) throw new ImportRefused(...unknown)
  const { author: _author, category, type, books: titles, timing: spoken, ...columns } = desired
  const { books: _books, ...compared } = desired
  const bookIds: readonly number[] = titles.flatMap((each) => linked.get(each) ?? [])

  const standing = await selectExisting(tx, kind, slug)
  const kept = await keptByOffice(tx, { kind, key: slug, dryRun }, (live) => {
    const isSameTiming = standing?.timing === spoken
    const { main, backgroundColour, containerColour, textColour, published: _published, ...same } = columns
    return {
      ...same,
      parts: same.parts && [...same.parts],
      body: htmlToMarkdown(main),
      colours: { background: backgroundColour, container: containerColour, text: textColour },
      author: author?.key ?? null,
      category,
      type,
      books: [...titles],
      ...(isSameTiming
        ? { publishedAt: live.publishedAt, startsAt: live.startsAt, endsAt: live.endsAt }
        : timesOf(timing, standing?.publishedAt ?? now, now)),
    }
  })
  if (kept) return { ...changedBy([]), warnings: kept.notes }
  const changes = standing
    ? changedFields(standing, { ...compared, bookIds, author: author?.key ?? null }, ITEM_WORDS)
    : []
  const news = await newWords(tx, { category, type })
  if (publishedAt(timing, now, now) > now)
    news.push('Its date is in the future; it is shown straight away anyway.')
  if (!dryRun && (!standing || changes.length > 0)) {
    const sameTiming = standing?.timing === spoken
    const values = {
      ...columns,
      authorId: author?.id ?? null,
      categoryId: category === null ? null : await findOrInsertTerm(tx, 'editorial_categories', category),
      typeId: type === null ? null : await findOrInsertTerm(tx, 'murmuration_types', type),
      importHash: spoken,
      ...(sameTiming
        ? {}
        : {
            publishedAt: publishedAt(timing, standing?.publishedAt ?? now, now),
            ...occasion(timing, now),
          }),
    }
    await writeItem(tx, { kind, slug }, values, titles)
  }
  const applied = standing ? changedBy(changes) : created
  return { ...applied, warnings: news }
}

const publishedAt = ({ publishedAt: at, publishedDaysAgo: ago }: Timing, otherwise: Date, now: Date): Date =>
  at !== undefined ? instantOf(at)! : ago !== undefined ? new Date(now.getTime() - ago * DAY) : otherwise

function timesOf(timing: Timing, otherwise: Date, now: Date) {
  const { startsAt: begins, endsAt: ends } = occasion(timing, now)
  return {
    publishedAt: publishedAt(timing, otherwise, now).toISOString(),
    startsAt: begins?.toISOString() ?? null,
    endsAt: ends?.toISOString() ?? null,
  }
}

function occasion(timing: Timing, now: Date): { startsAt: Date | null; endsAt: Date | null } {
  const begins = startsAt(timing, now)
  if (!begins || timing.until === undefined) return { startsAt: begins, endsAt: null }
  const ends = instantOf(`${londonDay(begins)}T${timing.until}`)!
  return { startsAt: begins, endsAt: ends > begins ? ends : new Date(ends.getTime() + DAY) }
}

function startsAt({ startsAt: at, startsInDays: days, from }: Timing, now: Date): Date | null {
  if (at !== undefined) return instantOf(from === undefined ? at : `${at}T${from}`)!
  if (days === undefined) return null
  const day = new Date(now.getTime() + days * DAY)
  if (from !== undefined) return instantOf(`${londonDay(day)}T${from}`)!
  // A number of days has no hour, so no hour is shown.
  if (Number.isInteger(days)) day.setUTCHours(0, 0, 0, 0)
  return day
}

interface StandingItem extends Omit<DesiredItem, 'books'> {
  readonly bookIds: readonly number[]
  readonly publishedAt: Date
}

async function selectExisting(tx: Transaction, kind: Kind, slug: string): Promise<StandingItem | undefined> {
  const row = await selectItem(tx, kind, slug)
  if (!row) return undefined
  const links = await tx
    .select({ id: bookEditorial.bookId })
    .from(bookEditorial)
    .where(eq(bookEditorial.itemId, row.item.id))
    .orderBy(asc(bookEditorial.position), asc(bookEditorial.bookId))
  const { item, ...names } = row
  return { ...item, ...names, timing: item.importHash ?? '', bookIds: links.map(({ id }) => id) }
}

const ITEM_WORDS: Partial<Record<keyof DesiredItem | 'bookIds', string>> = {
  shortDescription: 'short description',
  main: 'text',
  pictureId: 'picture',
  altText: 'alt text',
  memberOnly: 'access',
  minimumTier: 'access',
  hideAuthor: 'author',
  videoLink: 'video',
  audioId: 'audio',
  linkTitle: 'link',
  metaDescription: 'meta description',
  metaKeywords: 'meta keywords',
  placeNote: 'place',
  goodToKnow: 'good to know',
  backgroundColour: 'colours',
  containerColour: 'colours',
  textColour: 'colours',
  bookIds: 'books',
  timing: 'dates',
}

async function authorCalled(tx: Transaction, slug: string): Promise<{ id: number; key: string } | undefined> {
  const all = await tx.select().from(editorialAuthors)
  const found = all.find((author) => slugOf(fullName(author)) === slug)
  return found && { id: found.id, key: found.nameKey }
}

/** A new word becomes a new filter, so report it: it may be a typing error. */
async function newWords(
  tx: Transaction,
  { category, type }: { category: string | null; type: string | null },
): Promise<string[]> {
  const notes: string[] = []
  if (category !== null && !(await findTerm(tx, 'editorial_categories', category)))
    notes.push(`“${category}” is a new category.`)
  if (type !== null && !(await findTerm(tx, 'murmuration_types', type)))
    notes.push(`“${type}” is a new type.`)
  return notes
}
