import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { titleKey } from '#storage/title-key.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { relatedQuery } from '#features/catalogue/queries.ts'
import { useDownload } from '#features/downloads/store.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { listenTo } from '#features/player/lazy.ts'
import { usePlayer } from '#features/player/store.ts'
import { useQueue } from '#features/queue/use-lists.ts'
import { bytes } from '#format/bytes.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './FinishedNext.module.css'
import { nextTitle, type OfferedTitle } from './next-title.ts'
import { NextUp } from './NextUp.tsx'
import { useShelf } from '#features/library/use-shelf.ts'

/** Below a finished book: the queue's next title, else one to continue or to start, and further links. */
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

/** Chosen from all titles, or offline from those on this device. */
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
