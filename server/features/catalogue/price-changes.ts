import type { LogbookValue } from '../../db/schema/logbook.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Database, Transaction } from '../../db/open.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { isObject } from './owners-fields.ts'
import {
  insertPriceChanges,
  type PriceChange,
  selectDuePriceChanges,
  selectPriceChange,
  selectStandingPrices,
  type StandingPrice,
  updatePriceChange,
} from './price-changes-queries.ts'
import { notifyInstances } from './queries.ts'
import { type PriceOfBook, restorePrice, updatePrice } from './title-state-queries.ts'

export interface NewPriceOf {
  readonly id: number
  readonly price: PriceOfBook
}

/** What a price was, so that it can be put back: under `audiobook salt-ledger`, as the log shows it. */
export type FormerPrices = Readonly<Record<string, LogbookValue>>

/** Protects the prices from imports. */
export const changePrices = (db: Database, prices: readonly NewPriceOf[]): Promise<void> =>
  db.transaction(async (tx) => {
    for (const { id, price } of prices) await updatePrice(tx, [id], price)
    await notifyInstances(tx)
  })

/** @throws 404 if one of the titles is gone */
export async function formerPrices(db: Database, ids: readonly number[]): Promise<FormerPrices> {
  const standing = await db.transaction((tx) => selectStandingPrices(tx, ids))
  if (standing.length < ids.length) throw notFound('One of these titles is gone.')
  return Object.fromEntries(standing.map((row) => [keyOf(row), formerOf(row)]))
}

const keyOf = ({ format, slug }: Pick<StandingPrice, 'format' | 'slug'>): string =>
  `${format === 'audio_book' ? 'audiobook' : 'e-book'} ${slug}`

const hasPrice = ({ published, state, priceMinor, setByOwner }: StandingPrice): boolean =>
  published || (state !== 'on-sale' && priceMinor > 0) || setByOwner.includes('price')

const formerOf = (row: StandingPrice): LogbookValue => ({
  id: row.id,
  price: hasPrice(row) ? (row.priceMinor / 100).toFixed(2) : 'none',
  ...(row.memberPriceMinor === null ? {} : { members: (row.memberPriceMinor / 100).toFixed(2) }),
  ...(row.setByOwner.includes('price') ? { setHere: true } : {}),
})

/**
 * Puts prices back, if they are still what the change made of them.
 *
 * @throws 422 if one of them has changed since
 */
export const restorePrices = (db: Database, before: LogbookValue, after: LogbookValue): Promise<void> =>
  db.transaction(async (tx) => {
    const made = new Map(pricesIn(after).map(({ id, price }) => [id, price?.priceMinor]))
    const former = pricesIn(before)
    const standing = new Map(
      (
        await selectStandingPrices(
          tx,
          former.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    )
    for (const { id } of former) {
      const row = standing.get(id)
      if (!row) throw refused('One of these titles is gone.')
      if (row.priceMinor !== made.get(id)) throw refused(`The price of ${row.slug} has changed since.`)
    }
    for (const { id, price, isSetHere } of former)
      if (price && isSetHere) await updatePrice(tx, [id], price)
      else await restorePrice(tx, id, price)
    await notifyInstances(tx)
  })

const minor = (text: LogbookValue | undefined): number | null =>
  typeof text === 'string' && /^\d+\.\d\d$/.test(text) ? Math.round(Number(text) * 100) : null

const pricesIn = (value: LogbookValue) =>
  (isObject(value) ? Object.values(value) : []).filter(isObject).map(({ id, price, members, setHere }) => {
    const priceMinor = minor(price)
    return {
      id: Number(id),
      price: priceMinor === null ? null : { priceMinor, memberPriceMinor: minor(members) },
      isSetHere: setHere === true,
    }
  })

/** New prices as the log has them. */
export const loggedPrices = (former: FormerPrices, prices: readonly NewPriceOf[]): LogbookValue =>
  Object.fromEntries(
    Object.entries(former).map(([key, value]) => {
      const id = isObject(value) ? Number(value.id) : 0
      const price = prices.find((each) => each.id === id)?.price
      return [
        key,
        {
          id,
          price: ((price?.priceMinor ?? 0) / 100).toFixed(2),
          ...(price?.memberPriceMinor === null || price?.memberPriceMinor === undefined
            ? {}
            : { members: (price.memberPriceMinor / 100).toFixed(2) }),
        },
      ]
    }),
  )

/** Prices for later, or for a time. The job `prices` sets them, to the minute. */
export async function schedulePrices(
  shop: Pick<Shop, 'db' | 'clock'>,
  prices: readonly NewPriceOf[],
  { startsAt, endsAt }: { readonly startsAt: BusinessTime; readonly endsAt: BusinessTime | null },
): Promise<number[]> {
  const ids = await insertPriceChanges(
    shop.db,
    prices.map(({ id, price }) => ({ bookId: id, ...price, startsAt, endsAt })),
  )
  await runPriceChanges(shop)
  return ids
}

export async function runPriceChanges({ db, clock }: Pick<Shop, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (const { id } of await selectDuePriceChanges(db, now))
    await db.transaction(async (tx) => {
      const change = await selectPriceChange(tx, id)
      if (!change || change.endedAt) return
      const isOver = change.endsAt !== null && change.endsAt <= now
      if (!change.startedAt && isOver) return updatePriceChange(tx, id, { endedAt: now })
      if (!change.startedAt) await startChange(tx, change, now)
      else if (isOver) await endChange(tx, change, now)
    })
}

async function startChange(tx: Transaction, change: PriceChange, now: BusinessTime): Promise<void> {
  const [standing] = await selectStandingPrices(tx, [change.bookId])
  await updatePrice(tx, [change.bookId], change)
  await updatePriceChange(tx, change.id, {
    startedAt: now,
    before: standing ? formerOf(standing) : null,
    // Without an end there is nothing left to do.
    ...(change.endsAt === null ? { endedAt: now } : {}),
  })
  await notifyInstances(tx)
}

/** Restores the former price, unless the price was changed again during the period. */
async function endChange(tx: Transaction, change: PriceChange, now: BusinessTime): Promise<void> {
  const [standing] = await selectStandingPrices(tx, [change.bookId])
  const [former] = pricesIn({ before: change.before })
  if (standing?.priceMinor === change.priceMinor && former)
    if (former.price && former.isSetHere) await updatePrice(tx, [change.bookId], former.price)
    else await restorePrice(tx, change.bookId, former.price)
  await updatePriceChange(tx, change.id, { endedAt: now })
  await notifyInstances(tx)
}

/** Ends one that runs, and gives up one that has not started. @throws 404 */
export const stopPriceChange = (
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  id: number,
): Promise<'ended' | 'given up'> =>
  db.transaction(async (tx) => {
    const change = await selectPriceChange(tx, id)
    if (!change || change.endedAt) throw notFound()
    if (change.startedAt) await endChange(tx, change, clock.now())
    else await updatePriceChange(tx, id, { endedAt: clock.now() })
    return change.startedAt ? 'ended' : 'given up'
  })
