import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { LIBRARY_LOAD_MORE_PX } from '#contract/limits.ts'
import { LibraryGrid, type ShelfItem } from '#features/library/LibraryGrid.tsx'
import { libraryQuery } from '#features/library/queries.ts'
import { type LibrarySearch, searchOf } from '#features/library/view.ts'
import { TitleMenu } from '#features/queue/TitleMenu.tsx'
import { useShelves } from '#features/queue/use-shelves.ts'
import { Receipt } from '#features/listening/Receipt.tsx'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { useNow } from '#ui/use-now.ts'
import styles from './library.module.css'
import { ComesNext } from './ComesNext.tsx'
import { ContinueListening } from './ContinueListening.tsx'
import { LibraryFind } from './LibraryFind.tsx'
import { LibraryWaiting } from './LibraryWaiting.tsx'
import { NothingHere } from './NothingHere.tsx'
import { ArrangeShelf } from './OwnShelves.tsx'
import { SpaceSummary } from './SpaceSummary.tsx'
import { useLibraryView } from './use-library-view.ts'
import { useEndless } from '../layout/use-endless.ts'
import { useLibraryNews } from '#features/library/use-library-news.ts'
import { useShelf } from '#features/library/use-shelf.ts'
import { GiftCode, useGiftsLoaded, WaitingGifts } from '../gifts/WaitingGifts.tsx'

export function LibraryScreen({ search: asked }: { search: LibrarySearch }) {
  const search = useMemo(() => searchOf(asked), [asked])
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const ended = useSession((state) => state.status === 'ended')
  const online = useOnline()
  const query = useInfiniteQuery({ ...libraryQuery(owner), enabled: !ended && owner !== '' })
  useLibraryNews(owner, !ended && online)
  const { view, typed, setTyped, q, go } = useLibraryView(search)
  const { sort, series } = view
  const shelves = useShelves(owner)
  const shelf = shelves.find(({ id }) => id === view.shelf)
  // Offline, only the downloads can be opened, so they are chosen.
  const show = online && !ended ? (view.show ?? 'all') : (search.show ?? 'downloaded')
  const giftsLoaded = useGiftsLoaded()
  const { items, titles, waiting, begun, all, ready, isWhole } = useShelf(
    owner,
    query.data?.pages,
    { q, sort, series, show: shelf ? 'all' : show, only: shelf?.keys },
    { online: online && !ended, isLoaded: !query.isPending && giftsLoaded },
  )
  const now = useNow()
  const hasNextPage = ready && !isWhole && query.hasNextPage
  const more = useEndless({ ...query, hasNextPage }, LIBRARY_LOAD_MORE_PX)
  const isPlain = show === 'all' && q === '' && series === undefined && !shelf
  const isKnown = ready && all.length > 0

  return (
    <Wrap className={styles.screen}>
      <PageHead title="Library" hidden />
      <div className={styles.head}>
        <Display as="h1" size="lg">
          Library
        </Display>
        {isKnown && <SpaceSummary />}
        <Receipt nowMs={now} />
        {isKnown && (
          <LibraryFind
            {...{ typed, setTyped, sort, series, shelves, shelf, go, all }}
            show={shelf ? undefined : show}
            found={q === '' ? undefined : titles.length}
          />
        )}
      </div>
      {ready && <ComesNext owner={owner} />}
      {ready && shelf && <ArrangeShelf shelf={shelf} onTakenDown={() => go({ shelf: undefined })} />}
      {ended ? <LogInAgain /> : <WaitingGifts />}
      {ready && isPlain && begun.length > 0 && <ContinueListening items={begun} />}
      {ready && titles.some(({ shortRecording }) => shortRecording) && (
        <p className={styles.short}>
          This is a demo shop: each recording is only a few minutes long, and so is the time left.
        </p>
      )}
      {!ready || (query.isPending && !ended && items.length === 0 && all.length === 0) ? (
        <LibraryWaiting />
      ) : items.length === 0 && waiting.length === 0 ? (
        <NothingHere
          show={show}
          looksFor={q}
          isUnreached={query.isError && !query.data && all.length === 0}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <LibraryGrid items={items} more={moreOf} />
      )}
      {waiting.length > 0 && <Waiting items={waiting} />}
      {hasNextPage && (
        <div ref={more} className={styles.more}>
          <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {ready && !ended && <GiftCode />}
    </Wrap>
  )
}

const moreOf = ({ key, title }: ShelfItem) => <TitleMenu titleKey={key} title={title} />

const Waiting = ({ items }: { items: readonly ShelfItem[] }) => (
  <section className={styles.rest} aria-labelledby="waiting">
    <Display as="h2" size="sm" id="waiting">
      Waiting for a connection
    </Display>
    <p>Still yours. They’ll be here when you’re back online.</p>
    <LibraryGrid items={items} eager={0} more={moreOf} />
  </section>
)

function LogInAgain() {
  return (
    <p className={styles.again} role="status">
      Please log in again to see everything. Your downloads still play.{' '}
      <Link to="/login" search={{ from: '/library' }}>
        Log in
      </Link>
    </p>
  )
}
