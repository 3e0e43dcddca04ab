import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import type { Series } from '#contract/series.ts'
import { priced } from '#features/analytics/use-views.ts'
import { track } from '#features/analytics/track.ts'
import { namesInFull } from '#features/catalogue/model.ts'
import { progressOf, readingOf } from '#features/library/model.ts'
import { usePlaces } from '#features/library/use-places.ts'
import { bandOf } from '#features/series/load-series.ts'
import { MissingSum } from '#features/series/MissingSum.tsx'
import { NoticeConfirmed } from '#features/series/NoticeConfirmed.tsx'
import { TellMe } from '#features/series/TellMe.tsx'
import { countWords, inOrder, type TitleHere } from '#features/series/model.ts'
import { ownSeriesQuery, seriesQuery } from '#features/series/queries.ts'
import { SeriesRow } from '#features/series/SeriesRow.tsx'
import { useOnline } from '#net/use-online.ts'
import { currentSession, useSession } from '#session/store.ts'
import { Band } from '#ui/Band.tsx'
import { useBand } from '#ui/band.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { titleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { seriesJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import styles from './series.module.css'

interface SeriesScreenProps {
  slug: string
  order?: 'story' | undefined
  /** The token of the mail that asks whether somebody wants to hear of the next title. */
  confirm?: string | undefined
}

export function SeriesScreen({ slug, order, confirm }: SeriesScreenProps) {
  const shown = useQuery({ ...seriesQuery(slug), retryOnMount: false })
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const asks = useSession((state) => state.status === 'user')
  const own = useQuery({ ...ownSeriesQuery(slug, owner), enabled: asks && owner !== '' })
  const series = own.data ?? shown.data
  if (!series) return <div aria-busy="true" />
  const failed = own.isError || shown.isError
  const again = () => void Promise.all([shown.refetch(), asks && own.refetch()])
  return (
    <SeriesPage
      series={series}
      byStory={order === 'story' && series.hasStoryOrder}
      confirm={confirm}
      owner={owner}
      onRetry={failed ? again : undefined}
    />
  )
}

interface SeriesPageProps {
  series: Series
  byStory: boolean
  owner: string
  confirm: string | undefined
  /** What is shown may be old. */
  onRetry: (() => void) | undefined
}

function SeriesPage({ series, byStory, owner, confirm, onRetry }: SeriesPageProps) {
  const online = useOnline()
  const titles = useMemo(() => inOrder(series, byStory), [series, byStory])
  const theme = useMemo(() => bandOf(series)?.band ?? titleTheme(), [series])
  useBand(theme)
  useStructuredData(import.meta.env.SSR && ((origin) => [seriesJsonLd(series, origin)]))
  const authors = namesInFull(series.authors)
  const narrators = namesInFull(series.narrators)
  return (
    <>
      <PageHead
        title={series.title}
        description={`${countWords(titles)} ${authors && `By ${authors}.`}`.trim()}
        canonical={`/series/${series.slug}`}
        image={titles.find(({ book }) => book)?.book?.cover ?? null}
      />
      <Band theme={theme} as="div">
        <Wrap className={styles.head}>
          <div>
            <p className={styles.count}>{countWords(titles)}</p>
            <Display as="h1" size="lg" className={styles.name}>
              {series.title}
            </Display>
            <p className={styles.by}>
              {authors}
              {narrators && <span>Read by {narrators}</span>}
            </p>
          </div>
          <MissingSum titles={titles} onAdded={countAdded} />
        </Wrap>
      </Band>
      <Wrap className={styles.body}>
        {confirm && <NoticeConfirmed token={confirm} />}
        <section aria-labelledby="order">
          <div className={styles.order}>
            <Display as="h2" size="md" id="order">
              {byStory ? 'In the order of the story' : 'In the order they came out'}
            </Display>
            {series.hasStoryOrder && (
              <Link
                to="/series/$slug"
                params={{ slug: series.slug }}
                search={byStory ? {} : { order: 'story' }}
                replace
                resetScroll={false}
                className="text-link"
              >
                {byStory ? 'As they came out' : 'By story'}
              </Link>
            )}
          </div>
          {onRetry && online && (
            <p className={styles.old} role="status">
              This is what we knew last.{' '}
              <Button look="text" onClick={onRetry}>
                Try again
              </Button>
            </p>
          )}
          <Titles series={series} titles={titles} owner={owner} online={online} />
        </section>
      </Wrap>
    </>
  )
}

interface TitlesProps {
  series: Pick<Series, 'slug' | 'title'>
  titles: readonly TitleHere[]
  owner: string
  online: boolean
}

/** The titles with what this device knows was heard of them. */
function Titles({ series: { slug, title: name }, titles, owner, online }: TitlesProps) {
  const { places, readings } = usePlaces(owner)
  const isAnnounced = titles.some(({ title: { comesOut }, owned }) => comesOut !== null && !owned)
  return (
    <>
      <ol className={styles.list}>
        {titles.map((here, index) => {
          const place = places.get(here.book?.slug ?? '')
          const heard = progressOf(here.title.chapterSeconds, place)
          return (
            <SeriesRow
              key={`${here.title.number} ${here.title.title}`}
              {...here}
              progress={heard && { ...heard, heardAtMs: place?.heardAtMs }}
              read={
                here.book?.entityType === 'eBook'
                  ? readingOf(readings.get(here.book.slug)?.share)?.words
                  : undefined
              }
              eager={index < 4}
              tellMe={
                <TellMe slug={slug} of={here.title.title} online={online}>
                  Tell me
                </TellMe>
              }
              onAdded={countAdded}
            />
          )
        })}
      </ol>
      {!isAnnounced && (
        <p className={styles.next}>
          <TellMe slug={slug} of={`the next of ${name}`} online={online}>
            Tell me when the next one is out
          </TellMe>
        </p>
      )}
    </>
  )
}

const countAdded = (book: BookCard) =>
  void track((events) => events.addToCart(priced(book, currentSession().user?.currentSubscription != null)))
