import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import { coverOf, placeOf } from '#features/catalogue/model.ts'
import { relatedQuery } from '#features/catalogue/queries.ts'
import { useDownload } from '#features/downloads/store.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { listenTo } from '#features/player/lazy.ts'
import { usePlayer } from '#features/player/store.ts'
import { useQueue } from '#features/queue/use-lists.ts'
import { bytes } from '#format/bytes.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './player.module.css'
import { useShelf } from '#features/library/use-shelf.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { price, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import type { Series } from '#contract/series.ts'
import { ownSeriesQuery } from '#features/series/queries.ts'

/** Below a finished book: the next title of the queue, otherwise one to continue or start, and links. */
export function FinishedNext({ slug }: { slug: string }) {
  const controls = usePlayer((store) => store.controls)
  const title = usePlayer((store) => store.state.title)
  const download = useDownload(titleKey('audio', slug))
  const next = useNextTitle(slug)
  const online = useOnline()
  const related = useQuery({ ...relatedQuery('audio_books', slug), enabled: online })
  const also = related.data?.['hydra:member'].find(
    (book) => book.slug !== slug && book.authors.some(({ fullName }) => title?.author.includes(fullName)),
  )
  const again = () => {
    const first = title?.chapters[0]
    if (first) controls?.goTo({ chapter: first.number, seconds: 0 })
    controls?.play()
  }
  return (
    <>
      <NextUp slug={slug} fallback={next && <Next {...next} />} />
      <ul role="list" className={styles.ways}>
        {also && (
          <li>
            <Link to="/audiobooks/$slug" params={{ slug: also.slug }} className={styles.way}>
              <Cover picture={coverOf(also)} alt="" sizes="48px" thumb className={styles.small} />
              <Words first={also.title} second={`Also by ${title?.author ?? ''}`} />
            </Link>
          </li>
        )}
        <li>
          <button type="button" className={styles.way} onClick={again}>
            <Picture>
              <Icon of={ArrowUUpLeftIcon} />
            </Picture>
            <Words
              first="Listen again from the start"
              second={title?.chapters[0] ? `1. ${title.chapters[0].title}` : ''}
            />
          </button>
        </li>
        <li>
          <Link to={download.state === 'done' ? '/downloads' : '/library'} className={styles.way}>
            <Picture>
              <Icon of={BooksIcon} />
            </Picture>
            {download.state === 'done' ? (
              <Words first="Your downloads" second={`This one can go, ${bytes(download.bytes)}`} />
            ) : (
              <Words first="Back to your library" second="It’s there, marked as finished" />
            )}
          </Link>
        </li>
      </ul>
    </>
  )
}

function Next({ entry, heading, words }: OfferedTitle) {
  const { slug, title, author, picture } = entry
  const navigate = useNavigate()
  const play = () =>
    void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  return (
    <section aria-labelledby="next-unheard">
      <Display as="h2" size="sm" id="next-unheard">
        {heading}
      </Display>
      <div className={styles.next}>
        <Cover picture={picture} alt="" sizes="88px" />
        <div>
          <p className={styles.name}>{title}</p>
          <p className={styles.soft}>{author}</p>
          <p className={styles.soft}>{words}</p>
        </div>
      </div>
      <Button look="beak" block tall onClick={play}>
        Play {title}
      </Button>
    </section>
  )
}

const Picture = ({ children }: { children: ReactNode }) => <span className={styles.picture}>{children}</span>

const Words = ({ first, second }: { first: string; second: string }) => (
  <>
    <span>
      <span className={styles.name}>{first}</span>
      <span className={styles.soft}>{second}</span>
    </span>
    <Icon of={CaretRightIcon} />
  </>
)

const AUDIOBOOKS = { q: '', sort: 'added', series: undefined, show: 'audiobooks' } as const

/** Chosen from all titles, or offline from the stored ones. */
function useNextTitle(after: string): OfferedTitle | undefined {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const asks = useSession((state) => state.status === 'user')
  const online = useOnline()
  const query = useInfiniteQuery({ ...libraryQuery(owner), enabled: asks })
  const queue = useQueue(owner) ?? []
  const shelf = useShelf(owner, query.data?.pages, AUDIOBOOKS, {
    online: online && asks,
    isLoaded: !query.isPending,
  })
  return shelf.ready
    ? nextTitle(
        after,
        queue.map(({ key }) => key),
        shelf,
      )
    : undefined
}

/** The countdown to the next title; otherwise the next of the series, to buy; otherwise `fallback`. */
function NextUp({ slug, fallback }: { slug: string; fallback: ReactNode }) {
  const next = usePlayer((store) => store.nextUp)
  const control = usePlayer((store) => store.player?.nextUp)
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const online = useOnline()
  const owned = useOwnEntries(owner, online)
  const offer = useSeriesOffer(owner, slug, online)
  if (!next)
    return (
      <>
        {offer && <Offer {...offer} />}
        {fallback}
      </>
    )
  const picture = owned.get(titleKey('audio', next.slug))?.picture
  return (
    <section aria-labelledby="next-up">
      <Display as="h2" size="sm" id="next-up">
        Next in {plural(next.secondsLeft, 'second')}
      </Display>
      <div className={styles.next}>
        {picture && <Cover picture={picture} alt="" sizes="88px" />}
        <div>
          <p className={styles.name}>{next.title}</p>
          <p className={styles.soft}>{next.why}</p>
        </div>
      </div>
      <div className="stack gap-2">
        <Button look="beak" block tall onClick={() => control?.now()}>
          Play it now
        </Button>
        <Button look="quiet" block tall onClick={() => control?.no()}>
          Not now
        </Button>
      </div>
    </section>
  )
}

const Offer = ({ series, book, why }: NonNullable<ReturnType<typeof useSeriesOffer>>) => (
  <section aria-labelledby="next-offered">
    <Display as="h2" size="sm" id="next-offered">
      Next in {series}
    </Display>
    <div className={styles.next}>
      <Cover picture={coverOf(book)} alt="" sizes="88px" />
      <div>
        <p className={styles.name}>{book.title}</p>
        <p className={styles.soft}>{[why, price(toMinor(book.price))].join(', ')}</p>
        <p className={styles.soft}>Not in your library yet</p>
      </div>
    </div>
    <LinkButton to="/audiobooks/$slug" params={{ slug: book.slug }} look="quiet" block>
      See {book.title}
    </LinkButton>
  </section>
)

interface Shelf {
  /** The titles that can be opened now: offline, only downloads. */
  readonly titles: readonly ShelfEntry[]
  readonly begun: readonly ShelfEntry[]
}

interface OfferedTitle {
  readonly entry: ShelfEntry
  readonly heading: string
  readonly words: string
}

/**
 * The audiobook to offer after a finished one: the first of the queue, a started one, or the newest not
 * started.
 */
export function nextTitle(
  after: string,
  queue: readonly TitleKey[],
  { titles, begun }: Shelf,
): OfferedTitle | undefined {
  const isOther = ({ slug, format }: ShelfEntry) => format === 'audioBook' && slug !== after
  const others = titles.filter(isOther)
  const queued = queue.flatMap((key) => others.find((title) => title.key === key) ?? [])[0]
  if (queued) return { entry: queued, heading: 'Next in your queue', words: queued.words }
  const started = begun.find(isOther)
  if (started) return { entry: started, heading: 'Carry on with', words: started.words }
  const unheard = others.find(({ share }) => share === 0)
  const words = unheard?.words ? `${unheard.words}, not started` : 'Not started'
  return unheard && { entry: unheard, heading: 'Next on your shelf', words }
}

/** The next audiobook of the series if the listener does not own it. Offered, never played automatically. */
function useSeriesOffer(owner: string, slug: string, online: boolean) {
  const owned = useOwnEntries(owner, online)
  const series = owned.get(titleKey('audio', slug))?.series[0]?.slug
  const { data } = useQuery({
    ...ownSeriesQuery(series ?? '', owner),
    enabled: online && series !== undefined,
  })
  return data ? offerAfter(data, slug) : undefined
}

export function offerAfter(
  { title: series, last, inOrder }: Pick<Series, 'title' | 'last' | 'inOrder'>,
  slug: string,
) {
  const at = inOrder.findIndex(({ audioBook }) => audioBook?.slug === slug)
  const next = at === -1 ? undefined : inOrder[at + 1]
  // Don't offer it before its release.
  if (!next?.audioBook || next.comesOut !== null || next.audioBook.inLibrary) return undefined
  return {
    series,
    book: next.audioBook,
    why: placeOf({ series: [{ number: next.number, last }] }) || series,
  }
}
