import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LIBRARY_LOAD_MORE_PX } from '#contract/limits.ts'
import { LibraryGrid } from '#features/library/LibraryGrid.tsx'
import { libraryQuery } from '#features/library/queries.ts'
import type { Shelf } from '#features/library/model.ts'
import { ShelfChips } from '#features/library/ShelfChips.tsx'
import { Receipt } from '#features/listening/Receipt.tsx'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { useNow } from '#ui/use-now.ts'
import styles from './library.module.css'
import { ContinueListening } from './ContinueListening.tsx'
import { LibraryWaiting } from './LibraryWaiting.tsx'
import { SpaceSummary } from './SpaceSummary.tsx'
import { useEndless } from '../layout/use-endless.ts'
import { useLibraryNews } from '#features/library/use-library-news.ts'
import { useShelf } from '#features/library/use-shelf.ts'
import { GiftCode, useGiftsLoaded, WaitingGifts } from '../gifts/WaitingGifts.tsx'

export function LibraryScreen() {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const ended = useSession((state) => state.status === 'ended')
  const online = useOnline()
  const query = useInfiniteQuery({ ...libraryQuery(owner), enabled: !ended && owner !== '' })
  useLibraryNews(owner, !ended && online)
  const [chosen, setChosen] = useState<Shelf>()
  // Offline, only the downloads can be opened, so their shelf is chosen.
  const shelf = chosen ?? (online && !ended ? 'all' : 'downloaded')
  const giftsLoaded = useGiftsLoaded()
  const { items, waiting, begun, known, ready } = useShelf(owner, query.data?.pages, shelf, {
    online: online && !ended,
    isLoaded: !query.isPending && giftsLoaded,
  })
  const now = useNow()
  const hasNextPage = ready && query.hasNextPage
  const more = useEndless({ ...query, hasNextPage }, LIBRARY_LOAD_MORE_PX)

  return (
    <Wrap className={styles.screen}>
      <PageHead title="Library" hidden />
      <div className={styles.head}>
        <Display as="h1" size="lg">
          Library
        </Display>
        {ready && known > 0 && <SpaceSummary />}
        <Receipt nowMs={now} />
        {ready && known > 0 && <ShelfChips chosen={shelf} onChoose={setChosen} />}
      </div>
      {ended ? <LogInAgain /> : <WaitingGifts />}
      {ready && shelf === 'all' && begun.length > 0 && <ContinueListening items={begun} />}
      {ready && items.some(({ shortRecording }) => shortRecording) && (
        <p className={styles.short}>
          This is a demo shop: each recording is only a few minutes long, and so is the time left.
        </p>
      )}
      {!ready || (query.isPending && !ended && items.length === 0) ? (
        <LibraryWaiting />
      ) : items.length === 0 && waiting.length === 0 ? (
        query.isError && !query.data ? (
          <NotReached onRetry={() => void query.refetch()} />
        ) : (
          <NothingHere shelf={shelf} />
        )
      ) : (
        <LibraryGrid items={items} />
      )}
      {waiting.length > 0 && (
        <section className={styles.rest} aria-labelledby="waiting">
          <Display as="h2" size="sm" id="waiting">
            Waiting for a connection
          </Display>
          <p>Still yours. They’ll be here when you’re back online.</p>
          <LibraryGrid items={waiting} eager={0} />
        </section>
      )}
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

/** Not the empty library: we could not ask. */
const NotReached = ({ onRetry }: { onRetry: () => void }) => (
  <Empty
    title="We couldn’t reach your library."
    help="Everything in it is still yours, and your downloads still play."
    action={
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    }
  />
)

function NothingHere({ shelf }: { shelf: Shelf }) {
  if (shelf === 'downloaded')
    return (
      <Empty
        title="Nothing on this device yet."
        help="Press the arrow beside a title and it’ll play in any tunnel."
      />
    )
  if (shelf !== 'all') return <Empty title="Nothing on this shelf yet." help="Try one of the others." />
  return (
    <Empty
      title="Your library is empty. The shelves aren’t."
      help="Whatever you choose stays here for good."
      action={
        <LinkButton to="/audiobooks" look="beak">
          Browse audiobooks
        </LinkButton>
      }
    />
  )
}
