import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import {
  type LibrarySearch,
  type Shown,
  type LibraryView,
  SORTS,
  type Sort,
  SHOWN,
} from '#features/library/view.ts'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { LIBRARY_LOAD_MORE_PX } from '#contract/limits.ts'
import { LibraryGrid, type ShelfItem } from '#features/library/LibraryGrid.tsx'
import { TitleMenu } from '#features/queue/TitleMenu.tsx'
import { ReadyRow } from '#features/ready/ReadyRow.tsx'
import { Receipt } from '#features/listening/SavedNotes.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { cx } from '#ui/cx.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { useNow } from '#ui/use-now.ts'
import styles from './-library/library.module.css'
import { useLibrary } from './-library/use-library.ts'
import { useEndless } from './-layout/LoadMore.tsx'
import { GiftCode, WaitingGifts } from './-gifts/WaitingGifts.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { firstShelf } from '#features/shop-details/shop.ts'
import { CannotLoad, Empty } from '#ui/Empty.tsx'
import { Suspense, useState, type ReactNode } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useMedia } from '#ui/use-media.ts'
import { type OwnShelf, useQueue } from '#features/queue/use-lists.ts'
import { plural } from '#format/plural.ts'
import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useShowsInPage } from '#features/player/last-played.ts'
import { listenTo } from '#features/player/lazy.ts'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import type { BegunEntry, ShelfView } from '#features/library/use-shelf.ts'
import { formatOfKey, slugOfKey, type TitleKey } from '#storage/title-key.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { HeadphonesIcon } from '@phosphor-icons/react/dist/csr/Headphones'
import { LAST_PLAYED } from '#features/library/use-shelf.ts'
import { RemovableChip, Chip } from '#ui/Chip.tsx'
import { ArrowsDownUpIcon } from '@phosphor-icons/react/dist/csr/ArrowsDownUp'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'

export const Route = createFileRoute('/library')({
  staticData: { frame: 'own', heading: 'Library' },
  // Judged by the screen, which is not in the first view.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  validateSearch: (search) => search as LibrarySearch,
  component: () => (
    <MembersOnly evenEnded>
      <LibraryScreen search={Route.useSearch()} />
    </MembersOnly>
  ),
})

function LibraryScreen({ search }: { search: LibrarySearch }) {
  const { owner, ended, query, shelf, show, q, isPlain, find, library } = useLibrary(search)
  const { items, titles, waiting, all, ready, isWhole } = library
  const now = useNow()
  const hasNextPage = ready && !isWhole && query.hasNextPage
  const more = useEndless({ ...query, hasNextPage }, LIBRARY_LOAD_MORE_PX)
  const isKnown = ready && all.length > 0

  const rows = useFirstRows()
  const first = items.slice(0, rows)
  const rest = items.slice(rows)
  const isWaiting = !ready || (query.isPending && !ended && items.length === 0 && all.length === 0)
  const goingOn = useGoingOn(isPlain ? library : undefined, first)
  const few = hasNextPage ? undefined : fewOf(library)
  const others = <OtherWays titles={titles} withGiftCode={ready && !ended} />
  useShowsInPage(isWaiting ? undefined : [...goingOn.above, ...goingOn.below].map(({ key }) => key))

  return (
    <>
      <Wrap className={styles.screen}>
        <PageHead title="Library" hidden />
        <div className={styles.head}>
          <Display as="h1" size="lg" className={styles.name}>
            Library
          </Display>
          {isKnown && <LibraryFind {...find} hasMore={hasNextPage} />}
        </div>
        {ended ? <LogInAgain /> : <WaitingGifts />}
        {!isWaiting && <ContinueListening items={goingOn.above} />}
        {/* Replaced when the titles are known: the search above them would push it down. */}
        <FirstTitles key={String(isWaiting)} few={few}>
          <div>
            {isWaiting ? (
              <LibraryWaiting count={rows} />
            ) : items.length === 0 && waiting.length === 0 ? (
              <NothingHere
                show={show}
                looksFor={q}
                isUnreached={query.isError && !query.data && all.length === 0}
                onRetry={() => void query.refetch()}
              />
            ) : (
              <LibraryGrid
                items={first}
                total={items.length}
                more={moreOf}
                sizes={few ? '(min-width: 768px) 288px, 44vw' : undefined}
              />
            )}
          </div>
          {/* Other actions, below or to the right of the first covers. */}
          {!isWaiting && (
            <div className={styles.strip}>
              {isKnown && !ended && <ReadyRow owner={owner} />}
              <ContinueListening items={goingOn.below} />
              <div className={styles.ways}>
                <ComesNext owner={owner} />
                {shelf && <ArrangeShelf shelf={shelf} onTakenDown={() => find.go({ shelf: undefined })} />}
              </div>
              {few && others}
              <Receipt nowMs={now} />
            </div>
          )}
        </FirstTitles>
        {!isWaiting && rest.length > 0 && (
          <LibraryGrid items={rest} eager={0} after={rows} total={items.length} more={moreOf} />
        )}
        {!isWaiting && waiting.length > 0 && <Waiting items={waiting} />}
        {hasNextPage && (
          <div ref={more} className={styles.more}>
            <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
          </div>
        )}
        {!few && !isWaiting && <div className={styles.foot}>{others}</div>}
      </Wrap>
      {few && !ended && (
        <Suspense>
          <NextToFewTitles of={items} />
        </Suspense>
      )}
    </>
  )
}

interface OtherWaysProps {
  titles: readonly ShelfEntry[]
  withGiftCode: boolean
}

/** Below all titles, or next to a few. */
const OtherWays = ({ titles, withGiftCode }: OtherWaysProps) => (
  <>
    <div className={styles.way}>
      <Link to="/library/notes" className="text-link">
        Bookmarks and notes
      </Link>
    </div>
    {withGiftCode && (
      <div className={cx(styles.way, styles.giftCode)}>
        <GiftCode />
      </div>
    )}
    {titles.some(({ shortRecording }) => shortRecording) && (
      <p className={styles.short}>Demo recordings are a few minutes long.</p>
    )}
  </>
)

const NextToFewTitles = lazyPart(() => import('./-library/NextToFewTitles.tsx'), 'NextToFewTitles')

interface GoingOn {
  readonly above: readonly BegunEntry[]
  readonly below: readonly BegunEntry[]
}

const NONE: readonly never[] = []

/**
 * The titles played last: one row above the covers, or on phones, which have no room for it there, below the first
 * covers. None if all of them are among these covers and none offers its other format, or if they came late and would
 * push down what is below them. Without a `library`, none.
 */
function useGoingOn(library: ShelfView | undefined, first: readonly ShelfItem[]): GoingOn {
  const isDesktop = useMedia('(min-width: 1200px)')
  const isTablet = useMedia('(min-width: 768px)')
  if (!library) return { above: NONE, below: NONE }
  const { begun, isBegunLate, items } = library
  const started = begun.slice(0, isDesktop || !isTablet ? LAST_PLAYED : 2)
  const areShown = started.every(({ key, other }) => !other && first.some((item) => item.key === key))
  const movesTitles = isBegunLate && (isTablet || items.length > first.length)
  const shown = areShown || movesTitles ? NONE : started
  return isTablet ? { above: shown, below: NONE } : { above: NONE, below: shown }
}

/** With at most this many titles, the other actions fit to the right of the covers. */
const FEW = 3

const fewOf = ({ ready, all, waiting }: ShelfView): number | undefined =>
  ready && all.length > 0 && all.length <= FEW && waiting.length === 0 ? all.length : undefined

/** The first covers and the other actions: stacked, or in two columns for a `few` titles. */
const FirstTitles = ({ few, children }: { few: number | undefined; children: ReactNode }) => (
  <div
    className={few ? styles.few : undefined}
    style={few ? { '--few-titles': Math.max(2, few) } : undefined}
  >
    {children}
  </div>
)

/** The titles in the first rows: one row of six or four, or two of three or two. */
function useFirstRows(): number {
  const isDesktop = useMedia('(min-width: 1200px)')
  const isTablet = useMedia('(min-width: 768px)')
  const isLargePhone = useMedia('(min-width: 480px)')
  return isDesktop || (isLargePhone && !isTablet) ? 6 : 4
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

/** Placeholders at the exact position of the first covers. */
function LibraryWaiting({ count }: { count: number }) {
  return (
    <div role="group" className={styles.grid} aria-busy="true" aria-label="Loading your library">
      {Array.from({ length: count }, (_, box) => (
        <div key={box} className={styles.item}>
          <Skeleton ratio="1" cover />
          <Skeleton height={20} width="70%" />
          <Skeleton height={16} width="40%" />
        </div>
      ))}
    </div>
  )
}

/** The server was unreachable, so the library isn't known to be empty. */
const NotReached = ({ onRetry }: { onRetry: () => void }) => (
  <CannotLoad
    title="We couldn’t reach your library."
    help="Everything in it is still yours, and your downloads still play."
    onRetry={onRetry}
  />
)

const HELP: Partial<Record<Shown, [title: string, help: string]>> = {
  downloaded: ['Nothing on this device yet.', 'Press the arrow beside a title and it’ll play in any tunnel.'],
  begun: ['Nothing started.', 'Every book you own is either finished or waiting for its first minute.'],
  unheard: ['You’ve started them all.', 'What you have finished can always be heard again.'],
}

interface NothingHereProps {
  show: Shown
  looksFor: string
  /** The server did not answer, and this device has no titles. */
  isUnreached: boolean
  onRetry: () => void
}

function NothingHere({ show, looksFor, isUnreached, onRetry }: NothingHereProps) {
  if (isUnreached) return <NotReached onRetry={onRetry} />
  if (looksFor !== '')
    return (
      <Empty title={`Nothing like “${looksFor}” here.`} help="Try one word of its title, or who reads it." />
    )
  if (show !== 'all') {
    const [title, help] = HELP[show] ?? ['Nothing on this shelf yet.', 'Try one of the others.']
    return <Empty title={title} help={help} />
  }
  return (
    <Empty
      title="Your library is empty. The shelves aren’t."
      help="Whatever you choose stays here for good."
      action={
        <LinkButton to={firstShelf().to} look="beak">
          {firstShelf().words}
        </LinkButton>
      }
    />
  )
}

const QueueSheet = lazyPart(() => import('#features/queue/QueueSheet.tsx'), 'QueueSheet')

function ComesNext({ owner }: { owner: string }) {
  const queue = useQueue(owner)
  const [open, setOpen] = useState<boolean>()
  if (!queue || (queue.length === 0 && open === undefined)) return null
  return (
    <>
      <div>
        <Button look="text" onClick={() => setOpen(true)}>
          What comes next: {plural(queue.length, 'title')}
        </Button>
      </div>
      <Suspense>{open !== undefined && <QueueSheet open={open} onOpenChange={setOpen} />}</Suspense>
    </>
  )
}

const ShelfSheet = lazyPart(() => import('#features/queue/ShelfSheets.tsx'), 'ShelfSheet')

function ArrangeShelf({ shelf, onTakenDown }: { shelf: OwnShelf; onTakenDown: () => void }) {
  const [open, setOpen] = useState<boolean>()
  return (
    <>
      <div>
        <Button look="text" onClick={() => setOpen(true)}>
          Arrange this shelf
        </Button>
      </div>
      <Suspense>
        {open !== undefined && (
          <ShelfSheet
            key={shelf.id}
            shelf={shelf}
            open={open}
            onOpenChange={setOpen}
            onTakenDown={onTakenDown}
          />
        )}
      </Suspense>
    </>
  )
}

function ContinueListening({ items }: { items: readonly BegunEntry[] }) {
  const navigate = useNavigate()
  const goOn = (key: TitleKey) => {
    const params = { slug: slugOfKey(key) }
    if (formatOfKey(key) === 'ebook') void navigate({ to: '/read/$slug', params })
    else void listenTo({ ...params, kind: 'book' }, () => void navigate({ to: '/player/$slug', params }))
  }
  if (items.length === 0) return null
  return (
    <section aria-labelledby="continue-listening" className={styles.continue}>
      <Display as="h2" size="sm" id="continue-listening">
        {items.some(({ format }) => format === 'eBook') ? 'Carry on' : 'Continue listening'}
      </Display>
      <ul role="list" className={styles.list}>
        {items.map((item) => (
          <li key={item.key} className={styles.going}>
            <button type="button" className={styles.row} onClick={() => goOn(item.key)}>
              <Cover picture={item.picture} alt="" sizes="64px" thumb className={styles.cover} />
              <span className={styles.words}>
                <span className={styles.title}>{item.title}</span>
                <span className={styles.left}>{item.words}</span>
                <ProgressLine share={item.share ?? 0} thin />
              </span>
              <span className={styles.play}>
                <Icon of={item.format === 'eBook' ? BookOpenIcon : PlayIcon} size={20} filled />
              </span>
            </button>
            {item.other && (
              <IconButton
                label={`${item.format === 'eBook' ? 'Listen to' : 'Read'} ${item.title} from here`}
                icon={<Icon of={item.format === 'eBook' ? HeadphonesIcon : BookOpenIcon} size={20} />}
                onClick={() => goOn(item.other!)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface LibraryFindProps extends Pick<LibraryView, 'sort' | 'series'> {
  typed: string
  setTyped: (typed: string) => void
  /** Undefined while one of the user's shelves is shown. */
  show: Shown | undefined
  shelves: readonly OwnShelf[]
  shelf: OwnShelf | undefined
  all: readonly ShelfEntry[]
  /** Further pages of titles are still to be loaded. */
  hasMore: boolean
  /** The number of search results; undefined without a search. */
  found: number | undefined
  go: (change: Partial<LibraryView>) => void
}

function LibraryFind({
  typed,
  setTyped,
  sort,
  series,
  show,
  shelves,
  shelf,
  all,
  hasMore,
  found,
  go,
}: LibraryFindProps) {
  const seriesName = all.flatMap((item) => item.series).find(({ slug }) => slug === series)?.name
  return (
    <div className={styles.find}>
      <LibraryTools typed={typed} onType={setTyped} sort={sort} onSort={(next) => go({ sort: next })} />
      {series === undefined ? (
        <ShelfChips
          chosen={show}
          hasBothFormats={hasMore || new Set(all.map(({ format }) => format)).size > 1}
          onChoose={(next) => go({ show: next, shelf: undefined })}
        >
          <OwnShelfChips shelves={shelves} chosen={shelf?.id} onChoose={(id) => go({ shelf: id })} />
        </ShelfChips>
      ) : (
        <div className={styles.chips}>
          <RemovableChip label={seriesName ?? 'Series'} onClick={() => go({ series: undefined })} />
        </div>
      )}
      <p className="visually-hidden" role="status">
        {found === undefined ? '' : found === 0 ? 'Nothing found' : `${plural(found, 'title')} found`}
      </p>
    </div>
  )
}

interface LibraryToolsProps {
  typed: string
  onType: (typed: string) => void
  sort: Sort
  onSort: (sort: Sort) => void
}

function LibraryTools({ typed, onType, sort, onSort }: LibraryToolsProps) {
  return (
    <div className={styles.tools} role="search">
      {/* An icon, until it is used. */}
      <label className={styles.field} title="Search your library">
        <Icon of={MagnifyingGlassIcon} />
        <input
          type="search"
          aria-label="Search your library"
          placeholder="Search your library"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          className={styles.input}
        />
      </label>
      <span className={styles.sort} title={`Sorted by: ${SORTS[sort]}`}>
        <Icon of={ArrowsDownUpIcon} />
        <select
          aria-label="Sort by"
          value={sort}
          onChange={(event) => onSort(keyOf(event.target.value))}
          className={styles.select}
        >
          {Object.entries(SORTS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the options above
const keyOf = (value: string) => value as Sort

const FORMATS: readonly Shown[] = ['audiobooks', 'ebooks']
const ORDER: readonly Shown[] = ['all', 'begun', 'downloaded', 'audiobooks', 'ebooks', 'unheard', 'finished']

interface ShelfChipsProps {
  chosen: Shown | undefined
  /** Without both, the chips of the formats would show everything or nothing. */
  hasBothFormats: boolean
  onChoose: (shown: Shown) => void
  children?: ReactNode
}

function ShelfChips({ chosen, hasBothFormats, onChoose, children }: ShelfChipsProps) {
  const order = ORDER.filter((shown) => hasBothFormats || shown === chosen || !FORMATS.includes(shown))
  return (
    <div className={styles.chips} role="group" aria-label="Show">
      {order.map((shown) => (
        <Chip key={shown} pressed={shown === chosen} onClick={() => onChoose(shown)}>
          {SHOWN[shown]}
        </Chip>
      ))}
      {children}
    </div>
  )
}

interface ShelfChoiceProps {
  shelves: readonly OwnShelf[]
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}

/** A second press on a chip shows all titles again. */
const OwnShelfChips = ({ shelves, chosen, onChoose }: ShelfChoiceProps) =>
  shelves.map(({ id, name }) => (
    <Chip key={id} pressed={id === chosen} onClick={() => onChoose(id === chosen ? undefined : id)}>
      {name}
    </Chip>
  ))
