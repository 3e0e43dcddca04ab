// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { LibraryEntry } from '#contract/library.ts'
import { changeLists } from '#sync/lists.ts'
import { ownTitle } from '#storage/own-title.ts'
import { placesDb } from '#storage/places-db.ts'
import { titleKey } from '#storage/title-key.ts'
import { ownTitlesQuery } from '#features/library/queries.ts'
import { changePlayerSettings } from '#features/player/settings.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { whatComesNext } from './keep-ready.ts'

const anEntry = (slug: string, number?: string): LibraryEntry =>
  ({
    id: slug,
    addedAt: '2026-03-02T10:00:00Z',
    audioBook: aTitle({
      slug,
      title: slug,
      series: number ? [{ id: 1, slug: 'tide', title: 'Tide', number, last: 3 }] : [],
    } as never),
    eBook: null,
    chapterSeconds: [600],
  }) as unknown as LibraryEntry

test('listening: the current book is followed by its series, the queue, started titles and the rest of the library', async () => {
  const owner = crypto.randomUUID()
  const queryClient = new QueryClient()
  const titles = [
    anEntry('rest'),
    anEntry('one', '1'),
    anEntry('begun'),
    anEntry('queued'),
    anEntry('two', '2'),
  ]
  queryClient.setQueryData(ownTitlesQuery(owner).queryKey, {
    titles: titles.flatMap(ownTitle),
    whole: true,
  })
  const place = (slug: string, heardAtMs: number) => ({
    ...{ slug, chapter: 1, seconds: 9, heardAtMs, eventId: null, deviceId: null, basedOn: null },
  })
  await placesDb.use(owner, (db) => db.places.bulkPut([place('begun', 1), place('one', 2)]))
  await changeLists(owner, 'queue', () => [
    { id: crypto.randomUUID(), kind: 'queue', position: 'a0', key: titleKey('audio', 'queued') },
    { id: crypto.randomUUID(), kind: 'queue', position: 'a1', key: titleKey('audio', 'taken-back') },
  ])
  expect(await whatComesNext(queryClient, owner)).toEqual(['one', 'two', 'queued', 'begun', 'rest'])
  changePlayerSettings({ atEnd: 'queue' })
  expect(await whatComesNext(queryClient, owner)).toEqual(['one', 'queued', 'begun', 'rest', 'two'])
})
