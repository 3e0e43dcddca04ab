import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useDeferredValue, useEffect, useState } from 'react'
import { libraryQuery } from '#features/library/queries.ts'
import { useShelf } from '#features/library/use-shelf.ts'
import {
  type LibrarySearch,
  searchOf,
  type LibraryView,
  rememberView,
  viewOf,
} from '#features/library/view.ts'
import { useQueue, useShelves } from '#features/queue/use-lists.ts'
import { readReady, useReady } from '#features/ready/keep-ready.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { useGiftsLoaded } from '../-gifts/WaitingGifts.tsx'
import { useNavigate } from '@tanstack/react-router'
import { ownKey } from '#features/query-keys.ts'

/** The library for the search parameters, from the server and this device. */
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
  // Offline, only downloads can be opened, so they are the default.
  const show = online ? (view.show ?? 'all') : (search.show ?? 'downloaded')
  const giftsLoaded = useGiftsLoaded()
  const isDeviceRead = useRowsBelowRead(owner)
  const known = useShelf(
    owner,
    query.data?.pages,
    { q, sort, series, show: shelf ? 'all' : show, only: shelf?.keys },
    { online, isLoaded: !query.isPending && giftsLoaded, isDeviceRead },
  )
  // After the session has ended only downloads are listed (ROLE-16).
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

/** Whether this device's queue and its downloads for offline listening were read: each has a row below the first titles. */
function useRowsBelowRead(owner: string): boolean {
  const isQueueRead = useQueue(owner) !== undefined
  const isReadyRead = useReady((state) => state.owner === owner)
  useEffect(() => void readReady(owner).catch(() => undefined), [owner])
  return isQueueRead && isReadyRead
}

/** The delay after typing before the address changes, because browsers limit such changes. */
const TYPED_MS = 400

/** The view in the address. A typed search applies at once, and changes the address after TYPED_MS. */
function useLibraryView(search: LibrarySearch) {
  const navigate = useNavigate()
  const view = viewOf(search)
  const [typed, setTyped] = useState(view.q)
  const [said, setSaid] = useState(view.q)
  // Back and forward change the search.
  if (said !== view.q) {
    setSaid(view.q)
    setTyped(view.q)
  }
  const q = useDeferredValue(typed)

  const go = (change: Partial<LibraryView>) => {
    const next = { ...view, q: typed, ...change }
    setSaid(next.q)
    setTyped(next.q)
    if (change.sort ?? change.show) rememberView(next)
    void navigate({
      to: '/library',
      search: searchOf(next),
      replace: change.series === undefined,
      resetScroll: false,
    })
  }
  useEffect(() => {
    if (typed === view.q) return undefined
    const timer = setTimeout(() => {
      setSaid(typed)
      void navigate({
        to: '/library',
        search: searchOf({ ...search, q: typed }),
        replace: true,
        resetScroll: false,
      })
    }, TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, view.q, search, navigate])
  return { view, typed, setTyped, q: q.trim(), go }
}

/** Updates the open library when a gift arrives or a refund removes a title. */
function useLibraryNews(ownerUuid: string, active: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!active || ownerUuid === '') return undefined
    let left = false
    let stop = () => {}
    void import('#features/feed/listen.ts').then(({ listenToFeed }) => {
      if (left) return
      stop = listenToFeed(ownerUuid, ({ type }) => {
        if (type === 'library' || type === 'new_order')
          void queryClient.invalidateQueries({ queryKey: ownKey(ownerUuid) })
      })
    })
    return () => {
      left = true
      stop()
    }
  }, [ownerUuid, active, queryClient])
}
