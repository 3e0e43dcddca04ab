import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import type { Database } from '#server/db/open.ts'
import type { MediaStore } from '#server/integrations/media/media-store.ts'
import { notifyInstances } from '#server/features/catalogue/queries.ts'
import { writeMedia } from '../apply.ts'
import { coverId } from '../covers/render.ts'
import { storeMissingPictures } from '../covers/store-missing-pictures.ts'
import { naturalOrder } from '#server/features/catalogue/names.ts'

export interface PictureReport {
  readonly name: string
  readonly outcome: 'done' | 'same' | 'failed' | 'waiting' | 'unused'
  readonly slug?: string
  readonly reason?: string
}

interface ImportingPictures {
  readonly db: Database
  readonly media: MediaStore
  readonly now: () => Date
  readonly dryRun?: boolean
  readonly onPicture?: (report: PictureReport) => void
}

const PICTURE = /\.(jpe?g|png|webp|avif|tiff?)$/i

/** A failure does not stop the others. Failed and missing pictures are tried again by the next run. */
export async function importPictures(importing: ImportingPictures, folder: string): Promise<PictureReport[]> {
  const { db, dryRun = false, onPicture } = importing
  const reports: PictureReport[] = []
  const print = (report: PictureReport) => {
    reports.push(report)
    onPicture?.(report)
  }
  const named = await booksByPictureName(db)
  for (const file of (await readdir(folder)).filter((name) => PICTURE.test(name)).sort(naturalOrder)) {
    const books = await selectBooksOfPicture(db, file, named)
    if (books.length === 0)
      print({ name: file, outcome: 'unused', reason: 'no title has this ISBN, address or picture.' })
    for (const book of books) print(await bringPicture(importing, join(folder, file), file, book))
  }
  const deliveredId = new Set(
    reports.flatMap(({ outcome, slug }) => (outcome === 'unused' ? [] : (slug ?? []))),
  )
  const waiting = await db.execute<{ slug: string; source: string; reason: string | null }>(sql`
    select b.slug, s.source, s.reason from picture_steps s join books b on b.id = s.book_id
    where s.state <> 'done' order by b.id, s.source`)
  for (const { slug, source, reason } of waiting.rows)
    if (!deliveredId.has(slug))
      print({ name: source, outcome: 'waiting', slug, ...(reason ? { reason } : {}) })
  if (!dryRun && reports.some(({ outcome }) => outcome === 'done')) await notifyInstances(db)
  return reports
}

interface BookOfPicture extends Record<string, unknown> {
  readonly id: number
  readonly slug: string
  readonly cover_id: string | null
}

/** The file name is the last part of the URL, without query string and percent-decoded. */
async function booksByPictureName(db: Database): Promise<Map<string, number[]>> {
  const { rows } = await db.execute<{ book_id: number; source: string }>(
    sql`select book_id, source from picture_steps`,
  )
  const named = new Map<string, number[]>()
  for (const { book_id, source } of rows) {
    const name = source.replace(/[?#].*$/, '').replace(/^.*[/\\]/, '')
    for (const key of new Set([name, decoded(name)])) named.set(key, [...(named.get(key) ?? []), book_id])
  }
  return named
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** A slug matches both formats of the title. */
async function selectBooksOfPicture(
  db: Database,
  file: string,
  named: ReadonlyMap<string, readonly number[]>,
): Promise<BookOfPicture[]> {
  const bare = file.slice(0, -extname(file).length)
  const isbn = bare.replaceAll('-', '')
  const { rows } = await db.execute<BookOfPicture & { rank: number }>(sql`
    select b.id, b.slug, b.cover_id, min(found.rank) as rank
    from (
      select id, 1 as rank from books where isbn = ${isbn}
      union all
      select unnest(${sql.param([...(named.get(file) ?? [])])}::int[]), 2
      union all
      select id, 3 from books where format in ('audio_book', 'e_book') and slug = ${bare}
    ) found join books b on b.id = found.id
    group by b.id order by b.id`)
  const best = Math.min(...rows.map(({ rank }) => rank))
  return rows.filter(({ rank }) => rank === best)
}

async function bringPicture(
  { db, media, now, dryRun = false }: ImportingPictures,
  path: string,
  name: string,
  book: BookOfPicture,
): Promise<PictureReport> {
  const { id: bookId, slug } = book
  try {
    const source = { picture: await readFile(path) }
    const id = coverId(source)
    if (book.cover_id === id) return { name, outcome: 'same', slug }
    // A dry run decodes the whole picture too, so that it reports the same faults.
    if (dryRun) await sharp(source.picture, { failOn: 'error' }).stats()
    else {
      const rendered = await storeMissingPictures({ db, media }, [{ id, source }])
      await db.transaction(async (tx) => {
        await writeMedia(tx, [], rendered)
        await tx.execute(sql`
          update books set cover_id = ${id}, updated_at = ${now().toISOString()}::timestamptz where id = ${bookId}`)
        await tx.execute(sql`
          insert into picture_steps (book_id, source) values (${bookId}, ${name})
          on conflict (book_id, source) do nothing`)
        await tx.execute(sql`
          update picture_steps set state = 'done', reason = null, attempts = attempts + 1,
            updated_at = ${now().toISOString()}::timestamptz where book_id = ${bookId}`)
      })
    }
    return { name, outcome: 'done', slug }
  } catch (error) {
    const reason = `is not a readable picture: ${error instanceof Error ? error.message : String(error)}`
    if (!dryRun) await noteFailure(db, bookId, name, reason, now())
    return { name, outcome: 'failed', slug, reason }
  }
}

async function noteFailure(
  db: Database,
  bookId: number,
  name: string,
  reason: string,
  now: Date,
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await db.execute(sql`
    insert into picture_steps (book_id, source, state, reason, attempts) values (${bookId}, ${name}, 'failed', ${reason}, 0)
    on conflict (book_id, source) do nothing`)
  await db.execute(sql`
    update picture_steps set state = 'failed', reason = ${reason}, attempts = attempts + 1, updated_at = ${at}
    where book_id = ${bookId} and state <> 'done'`)
}
