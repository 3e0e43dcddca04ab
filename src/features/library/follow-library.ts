import type { QueryClient } from '@tanstack/react-query'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { currentSession } from '#session/store.ts'
import { isNews } from '#storage/own-title.ts'
import { libraryQuery, ownTitlesQuery } from './queries.ts'
import { takeInOwnTitles } from './use-own-titles.ts'

/**
 * Marks the covers of all lists with what this user owns, from the device's list of titles. What the account bought or
 * was given since is pulled as soon as a query of theirs is invalidated.
 */
export function followLibrary(queryClient: QueryClient, owner: string): () => void {
  const library = libraryQuery(owner)
  const titles = ownTitlesQuery(owner)
  const mark = () => {
    const own = queryClient.getQueryData(titles.queryKey)
    if (own) useOwnedTitles.setState({ owned: new Set(own.titles.map(({ key }) => key)) })
  }
  const pull = () => {
    const own = queryClient.getQueryData(titles.queryKey)
    const first = queryClient.getQueryData(library.queryKey)?.pages[0]
    if (own && first && isNews(own, first)) void takeInOwnTitles(queryClient, owner).catch(() => undefined)
  }
  const isOf = (key: readonly unknown[], { queryKey }: { readonly queryKey: readonly unknown[] }) =>
    key.length === queryKey.length && key.every((part, index) => part === queryKey[index])
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { type } = event.action
    const isLibrary = isOf(event.query.queryKey, library)
    if (type === 'success' && isOf(event.query.queryKey, titles)) {
      mark()
      // On a new device the library's first page may arrive before the stored titles have been read.
      if (!queryClient.getQueryData(titles.queryKey)?.whole) pull()
    }
    if (type === 'success' && isLibrary) pull()
    if (type === 'invalidate' && isLibrary && !event.query.isActive() && currentSession().status === 'user')
      // After this notification: the query must not be fetched while it is being invalidated.
      queueMicrotask(() => void queryClient.prefetchInfiniteQuery(library))
  })
  mark()
  return () => {
    stop()
    useOwnedTitles.setState({ owned: new Set() })
  }
}
