import { Link } from '@tanstack/react-router'
import { LIBRARY_LOAD_MORE_PX } from '#contract/limits.ts'
import { LibraryGrid, type ShelfItem } from '#features/library/LibraryGrid.tsx'
import type { LibrarySearch } from '#features/library/view.ts'
import { TitleMenu } from '#features/queue/TitleMenu.tsx'
import { ReadyRow } from '#features/ready/ReadyRow.tsx'
import { Receipt } from '#features/listening/Receipt.tsx'
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
import { useLibrary } from './use-library.ts'
import { useEndless } from '../-layout/use-endless.ts'
import { GiftCode, WaitingGifts } from '../-gifts/WaitingGifts.tsx'

export function LibraryScreen({ search }: { search: LibrarySearch }) {
  const { owner, ended, query, shelf, show, q, isPlain, find, library } = useLibrary(search)
  const { items, titles, waiting, begun, all, ready, isWhole } = library
  const now = useNow()
  const hasNextPage = ready && !isWhole && query.hasNextPage
  const more = useEndless({ ...query, hasNextPage }, LIBRARY_LOAD_MORE_PX)
  const isKnown = ready && all.length > 0

  return (
    <Wrap className={styles.screen}>
      <PageHead title="Library" hidden />
      <div className={styles.head}>
        <div className={styles.top}>
          <Display as="h1" size="lg">
            Library
          </Display>
          <Link to="/library/notes" className="text-link">
            Bookmarks and notes
          </Link>
        </div>
        {isKnown && !ended && <ReadyRow owner={owner} />}
        <Receipt nowMs={now} />
        {isKnown && <LibraryFind {...find} />}
      </div>
      {ready && <ComesNext owner={owner} />}
      {ready && shelf && <ArrangeShelf shelf={shelf} onTakenDown={() => find.go({ shelf: undefined })} />}
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

const moreOf = ({ key, title }: ShelfItem) => <TitleMenu titleKey={key} title={title} withBookPage />

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
