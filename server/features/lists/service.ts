import { LIST_SIZE } from '#contract/limits.ts'
import type { Db } from '../../db/open.ts'
import { notFound, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publishTransient } from '../feed/service.ts'
import { ownsBook } from '../library/queries.ts'
import {
  lockRows,
  selectBookId,
  isNewerVersion,
  type SentVersion,
  versionOf,
} from '../synced-rows/queries.ts'
import { countRows, forgetOldRemovals, type Kind, type ListRow, selectRow, writeRow } from './queries.ts'

export interface SentChange extends SentVersion {
  readonly position: string
  readonly removed?: boolean
}

export interface Subject {
  readonly kind: Kind
  readonly title?: { readonly format: 'audio_book' | 'e_book'; readonly slug: string }
  readonly shelfId?: string
  readonly name?: string
}

const MOST: Record<Kind, [number, string]> = {
  queue: [LIST_SIZE.queue, 'titles in your queue'],
  shelf: [LIST_SIZE.shelves, 'shelves'],
  shelf_title: [LIST_SIZE.shelfTitles, 'titles on your shelves'],
}

/** @throws 404 for a title that is not in the library, or the id of another kind of row; 422 if the list is full */
export async function changeRow(
  shop: Pick<Shop, 'db' | 'now' | 'log'>,
  userId: string,
  id: string,
  { subject, sent }: { subject: Subject; sent: SentChange },
): Promise<ListRow> {
  const { db } = shop
  const bookId = subject.title && (await selectBookId(db, subject.title.format, subject.title.slug))
  const isRemoval = sent.removed === true
  // A title that was refunded can still be removed from a list.
  if (subject.title && (bookId === undefined || (!isRemoval && !(await ownsBook(db, userId, bookId)))))
    throw notFound()
  const written = versionOf(sent, shop.now())
  const { row, isNews } = await db.transaction(async (tx) => {
    await lockRows(tx, 'lists', userId)
    const before = await selectRow(tx, userId, id)
    if (before && before.kind !== subject.kind) throw notFound()
    if (before && !isNewerVersion(written, before)) return { row: before, isNews: false }
    if (!isRemoval && (!before || before.removedAt)) await refuseTooMany(tx, userId, subject.kind)
    await writeRow(tx, {
      ...{ userId, id, kind: subject.kind, name: subject.name ?? '', position: sent.position, ...written },
      ...{
        shelfId: subject.shelfId ?? null,
        bookId: bookId ?? null,
        removedAt: isRemoval ? shop.now() : null,
      },
    })
    if (isRemoval) await forgetOldRemovals(tx, userId)
    return { row: (await selectRow(tx, userId, id))!, isNews: true }
  })
  if (isNews) await sayChanged(shop, userId, written.deviceId)
  return row
}

async function refuseTooMany(tx: Db, userId: string, kind: Kind) {
  const [most, what] = MOST[kind]
  if ((await countRows(tx, userId, kind)) >= most)
    throw unprocessable('', `You have ${most} ${what}. Take one out to add another.`)
}

/** Offline devices fetch the lists when they reconnect. */
const sayChanged = (
  { db, log }: Pick<Shop, 'db' | 'log'>,
  userId: string,
  deviceId: string | null,
): Promise<void> =>
  publishTransient(db, [{ userId, data: { type: 'lists', deviceId } }]).catch((error: unknown) =>
    log.warn({ err: error }, 'a change of a list could not be announced'),
  )
