import type { QueryClient } from '@tanstack/react-query'
import type { PlacesDb } from '#storage/places-db.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import { readDownload, useDownloadsStore } from '#features/downloads/store.ts'
import { ownItem } from '#features/library/shelf-entry.ts'
import { ownTitlesQuery } from '#features/library/queries.ts'
import type { NextPort } from '#features/player/ports.ts'
import { playerSettings } from '#features/player/settings.ts'
import { connectivity } from '#net/connectivity.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { takeOut } from './actions.ts'
import { leftOutAfter, readLeftOut, readQueue } from './use-lists.ts'
import { whatNext } from './what-next.ts'

/** What the player asks at a book's end: answered by this device alone. */
export const nextPort = (queryClient: QueryClient): NextPort => ({
  async after(slug) {
    const owner = currentOwner()
    if (!owner) return undefined
    const after = titleKey('audio', slug)
    const [{ titles }, { placesDb }] = await Promise.all([
      queryClient.fetchQuery(ownTitlesQuery(owner)),
      import('#storage/places-db.ts'),
    ])
    const read = <T>(work: (db: PlacesDb) => Promise<T>) => placesDb.use(owner, work)
    const places = new Map((await read((db) => db.places.toArray())).map((place) => [place.slug, place]))
    const known = {
      places,
      readings: new Map<string, never>(),
      downloads: useDownloadsStore.getState().byTitle,
    }
    const next = whatNext(after, {
      owned: new Map(titles.map((title) => [title.key, ownItem(title, known)])),
      opens: opensNow,
      atEnd: playerSettings().atEnd,
      queue: await read(readQueue),
      leftOut: leftOutAfter(await read(readLeftOut), after),
    })
    return next && { slug: next.entry.slug, title: next.entry.title, why: next.why }
  },
  begun: ({ slug }) => void takeOut(titleKey('audio', slug)),
  failed: ({ title }) => void toast(`${title} didn’t start.`),
})

/** It is on this device, or somebody answers who knows the listener. */
export const opensNow = (key: TitleKey): boolean =>
  readDownload(key).state === 'done' ||
  (connectivity.snapshot() !== 'offline' && currentSession().status === 'user')
