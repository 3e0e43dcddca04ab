import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { libraryQuery } from '#features/library/queries.ts'
import { useLibraryNews } from '#features/library/use-library-news.ts'
import { useShelf } from '#features/library/use-shelf.ts'
import { type LibrarySearch, searchOf } from '#features/library/view.ts'
import { useShelves } from '#features/queue/use-shelves.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { useGiftsLoaded } from '../-gifts/WaitingGifts.tsx'
import { useLibraryView } from './use-library-view.ts'

/** What the library's address asks for, of what the server and this device know. */
export function useLibrary(asked: LibrarySearch) {
  const search = useMemo(() => searchOf(asked), [asked])
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const ended = useSession((state) => state.status === 'ended')
  const online = useOnline() && !ended
  const query = useInfiniteQuery({ ...libraryQuery(owner), enabled: !ended && owner !== '' })
  useLibraryNews(owner, online)
  const { view, typed, setTyped, q, go } = useLibraryView(search)
  const { sort, series } = view
  const shelves = useShelves(owner)
  const shelf = shelves.find(({ id }) => id === view.shelf)
  // Offline, only the downloads can be opened, so they are chosen.
  const show = online ? (view.show ?? 'all') : (search.show ?? 'downloaded')
  const giftsLoaded = useGiftsLoaded()
  const known = useShelf(
    owner,
    query.data?.pages,
    { q, sort, series, show: shelf ? 'all' : show, only: shelf?.keys },
    { online, isLoaded: !query.isPending && giftsLoaded },
  )
  // Where a session has ended there are the downloads alone (ROLE-16).
  const library = ended ? { ...known, waiting: [] } : known
  return {
    ...{ owner, ended, query, shelf, show, q, library },
    // Offline the list shows downloads by default, and started titles still come first.
    isPlain:
      (show === 'all' || (!online && search.show === undefined)) &&
      q === '' &&
      series === undefined &&
      !shelf,
    find: {
      ...{ typed, setTyped, sort, series, shelves, shelf, go },
      all: library.all,
      show: shelf ? undefined : show,
      found: q === '' ? undefined : library.titles.length + library.waiting.length,
    },
  }
}
