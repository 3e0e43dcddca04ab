import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, notFound } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { seriesJsonLd, useStructuredData } from '#app/page/structured-data.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { Series } from '#contract/series.ts'
import { countAdded } from '#features/bag/AddTitle.tsx'
import { cartStateOf, isInBag } from '#features/bag/model.ts'
import { addToBag } from '#features/bag/mutations.ts'
import { bagQuery } from '#features/bag/queries.ts'
import { useBagHolder } from '#features/bag/store.ts'
import { namesInFull, themeOf } from '#features/catalogue/model.ts'
import { progressOf, readingOf } from '#features/library/model.ts'
import { usePlaces } from '#features/library/use-places.ts'
import {
  addWords,
  allYours,
  countWords,
  inOrder,
  missingOf,
  missingWords,
  sumOf,
  type TitleHere,
} from '#features/series/model.ts'
import { confirmNotice, endNotice, ownSeriesQuery, seriesQuery } from '#features/series/queries.ts'
import { has } from '#features/shop-details/shop.ts'
import { textIn } from '#format/address.ts'
import { price } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { useIsMember, useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { useBand, Band } from '#ui/Band.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { useConfirmLink } from '../writes/use-confirm-link.ts'
import { useWrite } from '../writes/use-write.ts'
import styles from '#routes/-series/series.module.css'
import { SeriesRow, TellMe } from '#routes/-series/SeriesRow.tsx'

export const Route = createFileRoute('/series/$slug')({
  // Checked in the screen, because this line is in the first page's JavaScript.
  validateSearch: (search: { order?: 'story'; confirm?: string }) => search,
  loader: ({ context: { queryClient }, params: { slug } }) => loadSeries(queryClient, slug),
  component: SeriesScreen,
})

function SeriesScreen() {
  const { slug } = Route.useParams()
  const search = Route.useSearch()
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
      byStory={search.order === 'story' && series.hasStoryOrder}
      confirm={textIn(search.confirm)}
      owner={owner}
      onRetry={failed ? again : undefined}
    />
  )
}

interface SeriesPageProps {
  series: Series
  byStory: boolean
  owner: string
  /** The token of the email that asks for a confirmation of the notice. */
  confirm: string | undefined
  /** Set if the data may be outdated. */
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
          <MissingSum titles={titles} />
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

/** The titles with this device's listening progress. */
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
              series={slug}
              online={online}
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

/** The price of the missing titles, and a button that adds them all. */
function MissingSum({ titles }: { titles: readonly TitleHere[] }) {
  const isMember = useIsMember()
  const missing = missingOf(titles)
  const yours = allYours(titles)
  if (yours) return <p className={styles.yours}>{yours}</p>
  if (missing.length === 0) return null
  const { minor, othersMinor } = sumOf(missing, isMember)
  return (
    <div className={styles.missing}>
      <p>
        <b>{price(minor)}</b>
        {missingWords(missing.length, titles)}
        {othersMinor !== undefined && (isMember || has('membership')) && (
          <span>
            {isMember
              ? `Your price as a member, ${price(othersMinor)} for others`
              : `${price(othersMinor)} for members`}
          </span>
        )}
      </p>
      <AddAll missing={missing} />
    </div>
  )
}

/** One after the other, so that those added stay in the bag if one fails. */
function AddAll({ missing }: { missing: readonly BookCard[] }) {
  const queryClient = useQueryClient()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const left = missing.filter((book) => !isInBag(cartStateOf(cart?.items ?? [], book, undefined)))
  const added = useRef(0)
  const addAll = async () => {
    added.current = 0
    for (const book of left) {
      const item = await addToBag(queryClient, book)
      added.current += 1
      if (item) countAdded(book)
    }
  }
  const { write, busy, refusal } = useWrite(addAll, {
    onSuccess: () => announce(`${plural(added.current, 'book')} added to your bag.`),
    message: () =>
      added.current === 0
        ? 'That didn’t go into your bag. Check your connection and try again.'
        : `${plural(added.current, 'book')} went into your bag, the rest didn’t. Try again.`,
  })
  const done = left.length === 0
  return (
    <>
      <div className={styles.add}>
        <Button look="beak" tone="title" busy={busy} aria-disabled={done} onClick={() => void write()}>
          {done ? 'In your bag' : addWords(left.length)}
        </Button>
        {done && (
          <LinkButton to="/shopping-bag" look="text" tone="title">
            See your bag
          </LinkButton>
        )}
      </div>
      {refusal && <p role="alert">{refusal}</p>}
    </>
  )
}

/** The link of the email that asks for a confirmation. Nothing is drawn before the answer. */
function NoticeConfirmed({ token }: { token: string }) {
  const { outcome } = useConfirmLink(token, confirmNotice)
  const [ended, setEnded] = useState<string>()
  const { write: end } = useWrite(() => endNotice(token), {
    onSuccess: () => setEnded('You won’t hear from us about it.'),
    onFailure: () => setEnded(MESSAGES.somethingWentWrong),
  })
  const isConfirmed = outcome === 'confirmed'
  const message =
    ended ??
    (isConfirmed ? 'You’ll hear from us when the next one is out.' : outcome && MESSAGES.somethingWentWrong)
  useEffect(() => {
    if (message) announce(message)
  }, [message])
  if (!message) return null
  return (
    <div className={styles.notice}>
      <p>{message}</p>
      {isConfirmed && !ended && (
        <Button look="text" onClick={() => void end()}>
          I’ve changed my mind
        </Button>
      )}
    </div>
  )
}

/** The series, or else the downloaded part of it; the screen then offers to try again. */
async function loadSeries(queryClient: QueryClient, slug: string): Promise<{ band: TitleTheme } | undefined> {
  const query = seriesQuery(slug)
  const series = await queryClient.ensureQueryData(query).catch(async (problem: unknown) => {
    const held = typeof document === 'undefined' ? null : await onDevice(slug)
    if (!held) throw problem
    // Outdated at once, so that it is fetched when back online.
    queryClient.setQueryData(query.queryKey, held, { updatedAt: 1 })
    return held
  })
  if (series === null) throw notFound()
  return bandOf(series)
}

const onDevice = async (slug: string): Promise<Series | null> =>
  (await import('#features/series/on-device.ts')).seriesOnDevice(slug).catch(() => null)

/** The colours of the first book. */
function bandOf({ inOrder }: Pick<Series, 'inOrder'>): { band: TitleTheme } | undefined {
  const first = inOrder.map(({ audioBook, eBook }) => audioBook ?? eBook).find((book) => book !== null)
  return first && { band: themeOf(first) }
}
