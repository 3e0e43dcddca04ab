import type { EditorialItem, Murmuration } from '#contract/editorial.ts'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { audioCardsOf, holderOf, type Reader } from '../catalogue/service.ts'
import { type AddressHolder, openAudioAddress, soundAddress } from '../media/signed-addresses.ts'
import { entitlementOf } from '../membership/service.ts'
import { accessOf, itemView, murmurationView, typeView } from './serializers.ts'
import {
  type EditorialFilter,
  type EditorialKind,
  countItems,
  selectAudiobookId,
  selectBooksOf,
  selectItem,
  selectItemIdsOf,
  selectItems,
  selectTypes,
  type CardRow,
  type ItemRow,
  type Order,
} from './queries.ts'

export async function listItems(
  { db }: Pick<Shop, 'db'>,
  filter: EditorialFilter,
  { page, itemsPerPage }: PageOf,
  order: Order = 'newest',
): Promise<{ rows: CardRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    selectItems(db, filter, { offset: (page - 1) * itemsPerPage, limit: itemsPerPage }, order),
    countItems(db, filter),
  ])
  return { rows, total }
}

export async function murmurationsOf(db: Db, ids: readonly number[]): Promise<Murmuration[]> {
  if (ids.length === 0) return []
  const rows = await selectItems(db, { ids }, { offset: 0, limit: ids.length })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [murmurationView(row)] : []
  })
}

/** @throws 404 for an unknown audiobook */
export async function murmurationsAbout(db: Db, slug: string): Promise<Murmuration[]> {
  const bookId = await selectAudiobookId(db, slug)
  if (bookId === undefined) throw notFound()
  return murmurationsOf(db, await selectItemIdsOf(db, bookId))
}

/**
 * Omits the parts that the reader's plan does not include (OP-16).
 * @throws 404 for an unknown item
 */
export async function readItem(
  shop: Pick<Shop, 'db' | 'caches' | 'config' | 'now' | 'clock'>,
  kind: EditorialKind,
  slug: string,
  reader: Reader,
): Promise<EditorialItem> {
  const row = await selectItem(shop.db, kind, slug)
  if (!row) throw notFound()
  const access = accessOf(
    row,
    row.member_only ? (await entitlementOf(shop.db, reader.userId, shop.clock.now())).tier : null,
  )
  const books = await audioCardsOf(shop, await selectBooksOf(shop.db, row.id), reader)
  return itemView(
    row,
    access,
    access === 'open' ? audioOf(shop, row, holderOf(reader)) : null,
    books,
    shop.now(),
  )
}

function audioOf(
  shop: Pick<Shop, 'config' | 'now'>,
  row: ItemRow,
  holder: AddressHolder | null,
): string | null {
  if (!row.audio_id || !row.audio_extension) return null
  if (!row.member_only) return openAudioAddress(row.audio_id, row.audio_extension)
  return holder && soundAddress(shop, holder, row.audio_id, row.audio_extension)
}

export const murmurationTypes = async ({ db }: Pick<Shop, 'db'>): Promise<ReturnType<typeof typeView>[]> =>
  (await selectTypes(db)).map(typeView)
