import { DAY_MS } from '#contract/durations.ts'
import { catalogueCache, timedCache } from '../../caches.ts'
import type { Db } from '../../db/open.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import type { Shop } from '../../shop.ts'
import { creditOf } from '../membership/service.ts'
import {
  type BookRow,
  type CardRow,
  selectCards,
  selectOwnedBooks,
  CATALOGUE_CHANGED,
  selectEmptyShelves,
} from './queries.ts'
import type { RelatedEditorial } from './serializers.ts'

/** A few megabytes at most. */
const MOST_FACTS = 5_000

export const bookCounts = catalogueCache<number>(MOST_FACTS)
export const bookPages = catalogueCache<readonly number[]>(MOST_FACTS)
export const pagesQueried = catalogueCache<{ pages: number }>(MOST_FACTS)
export const relatedBooks = catalogueCache<readonly number[]>(MOST_FACTS)
/** By book. The counts behind it change little within a day. */
export const chosenByFinishers = timedCache<readonly number[]>({
  most: MOST_FACTS * 12,
  sizeOf: (ids) => 1 + ids.length,
  freshMs: DAY_MS,
  staleMs: DAY_MS,
})
/** Each up to 400 kB, for 100,000 titles. */
export const wholeLists = catalogueCache<Int32Array>(20)

export interface KnownBook {
  readonly row: BookRow
  readonly related: RelatedEditorial
}
/** About ten kilobytes each. */
export const knownBooks = catalogueCache<KnownBook>(500)

/** About 2 kB each. */
const cards = catalogueCache<CardRow | undefined>(4_000)

export const cardRowsOf = (
  shop: Pick<Shop, 'db' | 'caches'>,
  bookIds: readonly number[],
): Promise<(CardRow | undefined)[]> =>
  Promise.all(bookIds.map((id) => cards(shop).of(String(id), () => loadCard(shop.db, id))))

const loadCard = inBatchesOf<Db, number, CardRow | undefined>(
  async (db, ids) => {
    const found = new Map((await selectCards(db, [...new Set(ids)])).map((card) => [card.id, card]))
    return ids.map((id) => found.get(id))
  },
  { most: 500, waitingAtMost: 50_000 },
)

interface ReaderMarks {
  readonly owned: ReadonlySet<number>
  readonly hasCredit: boolean
  /** Business time at which a credit starts or expires. */
  readonly until: Date | null
}

/** Triggers on `library_entries` and `credits` notify it with the account's id (migration 0035). */
export const ACCOUNT_CHANGED = 'account_changed'

export const readerMarks = timedCache<ReaderMarks>({
  most: 500_000,
  sizeOf: ({ owned }) => 10 + owned.size,
})

export async function readerMarksOf(
  shop: Pick<Shop, 'db' | 'clock' | 'caches'>,
  userId: string,
): Promise<ReaderMarks> {
  const now = shop.clock.now()
  const load = async () => {
    const [owned, credit] = await Promise.all([loadOwned(shop.db, userId), creditOf(shop.db, userId, now)])
    return { owned, ...credit }
  }
  const marks = await readerMarks(shop).of(userId, load)
  if (marks.until === null || marks.until > now) return marks
  readerMarks(shop).forget(userId)
  return readerMarks(shop).of(userId, load)
}

const loadOwned = inBatchesOf<Db, string, ReadonlySet<number>>(selectOwnedBooks, {
  most: 500,
  waitingAtMost: 10_000,
})

/** An import sends one notification per batch, sometimes several within a second. */
const GATHER_MS = 2_000

/** Clears on the first notification, and once more after `gatherMs`: the cache must work during an import. */
export async function followCatalogue(
  { database, answers }: Pick<Shop, 'database' | 'answers'>,
  gatherMs = GATHER_MS,
): Promise<() => Promise<void>> {
  let gathering: NodeJS.Timeout | undefined
  let isToldAgain = false
  const forget = () => {
    if (gathering) {
      isToldAgain = true
      return
    }
    answers.clear()
    gathering = setTimeout(() => {
      gathering = undefined
      if (!isToldAgain) return
      isToldAgain = false
      forget()
    }, gatherMs).unref()
  }
  // After a reconnection too: a notification may have been missed.
  const stop = await database.listen(CATALOGUE_CHANGED, forget, forget)
  return async () => {
    clearTimeout(gathering)
    await stop()
  }
}

export async function followEmptyShelves({
  database,
  db,
  answers,
  config,
  log,
}: Pick<Shop, 'database' | 'db' | 'answers' | 'config' | 'log'>): Promise<() => Promise<void>> {
  const look = async () => {
    const empty = await selectEmptyShelves(db)
    if (empty.join() === config.details.emptyShelves.join()) return
    config.details.emptyShelves = empty
    // Cached pages contain the menus.
    answers.clear()
  }
  const lookAgain = () =>
    void look().catch((error: unknown) =>
      log.warn({ err: error }, 'which lists are empty could not be asked'),
    )
  await look()
  return database.listen(CATALOGUE_CHANGED, lookAgain, lookAgain)
}
