// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { listOf, shopAnswers } from '#tests/support/app.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { followLibrary } from './follow-library.ts'
import { libraryQuery, ownTitlesQuery } from './queries.ts'

afterEach(becomeVisitor)

test('SESS-14: a new device pulls all titles, also if the library arrives before the stored titles are read', async () => {
  const uuid = crypto.randomUUID()
  becomeUser({ uuid, firstName: 'Nell', fullName: 'Nell Hart' }, null)
  const library = listOf([
    { id: 'l1', addedAt: '2026-11-01', audioBook: aTitle({ slug: 'peat' }), eBook: null, chapterSeconds: [] },
  ])
  shopAnswers({ '/api/libraries': library })
  const queryClient = new QueryClient()
  const stop = followLibrary(queryClient, uuid)
  await queryClient.prefetchInfiniteQuery(libraryQuery(uuid))
  await queryClient.prefetchQuery(ownTitlesQuery(uuid))
  await soon(() =>
    expect(queryClient.getQueryData(ownTitlesQuery(uuid).queryKey)).toMatchObject({
      titles: [{ key: 'audio/peat' }],
      whole: true,
    }),
  )
  stop()
})
