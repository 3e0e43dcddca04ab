import { oneAtATime } from '#net/one-at-a-time.ts'
import { type LibraryPage, type OwnTitles, ownTitle } from '#storage/own-title.ts'
import { placesDb, type OwnTitle, type PlacesDb } from '#storage/places-db.ts'

/** Each slice is a separate task: a thousand rows at once block a cheap phone. */
const SLICE = 200
const WHOLE = 'titlesWhole'

export async function readOwnTitles(ownerUuid: string): Promise<OwnTitles> {
  const titles: OwnTitle[] = []
  for (let after = ''; ; after = titles.at(-1)!.key) {
    const slice = await placesDb.use(ownerUuid, (db) =>
      db.ownTitles.where('key').above(after).limit(SLICE).toArray(),
    )
    titles.push(...slice)
    if (slice.length < SLICE) break
  }
  return { titles: titles.sort(newestFirst), whole: await placesDb.use(ownerUuid, areOwnTitlesWhole) }
}

/** All titles of the account have been stored once. */
export const areOwnTitlesWhole = async (db: PlacesDb): Promise<boolean> =>
  (await db.settings.get(WHOLE)) !== undefined

/** Stores all of the account's titles, page by page; titles that are missing from the answer were revoked. */
export const followOwnTitles = (
  ownerUuid: string,
  ask: (page: number) => Promise<LibraryPage>,
): Promise<OwnTitles> =>
  oneAtATime(`murmur-titles-${ownerUuid}`, async () => {
    const titles: OwnTitle[] = []
    for (let page = 1; ; page += 1) {
      const { 'hydra:member': entries, 'hydra:totalItems': total } = await ask(page)
      const some = entries.flatMap(ownTitle)
      titles.push(...some)
      await placesDb.use(ownerUuid, (db) => db.ownTitles.bulkPut(some))
      if (entries.length === 0 || titles.length >= total) break
    }
    const there = new Set(titles.map(({ key }) => key))
    await placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', db.ownTitles, db.settings, async () => {
        const known = await db.ownTitles.toCollection().primaryKeys()
        await db.ownTitles.bulkDelete(known.filter((key) => !there.has(key)))
        await db.settings.put({ name: WHOLE, value: true })
      }),
    )
    return { titles: titles.sort(newestFirst), whole: true }
  })

const newestFirst = (one: OwnTitle, other: OwnTitle) =>
  other.addedAtMs - one.addedAtMs || (one.key < other.key ? -1 : 1)
