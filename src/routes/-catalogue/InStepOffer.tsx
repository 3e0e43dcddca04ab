import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState, type CSSProperties } from 'react'
import type { Book } from '#contract/catalogue.ts'
import { countAdded } from '#features/bag/AddTitle.tsx'
import { cartStateOf, isInBag, notAddedWords, offerOf } from '#features/bag/model.ts'
import { addToBag } from '#features/bag/mutations.ts'
import { bagQuery } from '#features/bag/queries.ts'
import { useBagHolder } from '#features/bag/store.ts'
import { useMark, useOwnedTitles } from '#features/catalogue/marks.ts'
import { linkTo, themeOf } from '#features/catalogue/model.ts'
import { bookQuery } from '#features/catalogue/queries.ts'
import { sampleSentencesQuery, type SampleSentence, tenSecondsOf } from '#features/in-step/sample.ts'
import { leaveSample, NO_SAMPLE, pressSample, useSamples } from '#features/samples/store.ts'
import { has } from '#features/shop-details/shop.ts'
import { clock } from '#format/clock.ts'
import { price, toMinor } from '#format/money.ts'
import { useOnline } from '#net/use-online.ts'
import { useIsMember } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { useWrite } from '#writes/use-write.ts'
import styles from './in-step.module.css'

const FORMAT_WORDS = { audioBook: 'audiobook', eBook: 'e-book' } as const
const OWNED_AND_OTHER = [
  ['audioBook', 'eBook'],
  ['eBook', 'audioBook'],
] as const

/** On the page of either format, as long as the visitor doesn't own both. */
export function InStepOffer({ book }: { book: Book }) {
  const counterpart = book.eBook ?? book.audioBook
  const isAudio = book.entityType === 'audioBook'
  const slug = counterpart?.slug ?? ''
  const { data: other } = useQuery({
    ...bookQuery(isAudio ? 'e_books' : 'audio_books', slug),
    enabled: counterpart !== null,
  })
  const owned = useOwnedTitles((state) => state.owned)
  const ownsThis = book.inLibrary || owned.has(titleKey(isAudio ? 'audio' : 'ebook', book.slug))
  const ownsOther = owned.has(titleKey(isAudio ? 'ebook' : 'audio', slug))
  if (!counterpart || (ownsThis && ownsOther)) return null
  const [owns, lacks] = OWNED_AND_OTHER[ownsThis === isAudio ? 0 : 1]
  const audio = [book, other].find((each) => each?.entityType === 'audioBook')
  const hasDemonstration = audio?.entityType === 'audioBook' && audio.inStepSample && audio.sample
  return (
    <section className={cx(styles.offer, !hasDemonstration && styles.plain)} aria-labelledby="in-step">
      <div>
        <Display as="h2" size="md" id="in-step">
          Read and listen in step
        </Display>
        <p className={styles.lead}>
          {ownsThis || ownsOther
            ? `You have the ${FORMAT_WORDS[owns]}. With the ${FORMAT_WORDS[lacks]} you carry on from the very sentence where you stopped.`
            : 'Close the book on page 80 and the headphones go on from that very sentence. In a tunnel too.'}
        </p>
      </div>
      {hasDemonstration && <Demonstration audio={audio} sample={hasDemonstration} />}
      <div className={styles.prices}>
        {other && <Prices books={ownsThis ? [other] : ownsOther ? [book] : [book, other]} page={book} />}
      </div>
    </section>
  )
}

/** What the formats that the visitor lacks cost together, and a button that adds them to the bag. */
function Prices({ books, page }: { books: readonly Book[]; page: Book }) {
  const queryClient = useQueryClient()
  const isMember = useIsMember()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const missing = books.filter((book) => !isInBag(cartStateOf(cart?.items ?? [], book, undefined)))
  const { write, busy, refusal } = useWrite(
    async () => {
      for (const book of missing) if (await addToBag(queryClient, book)) countAdded(book)
    },
    {
      onSuccess: () => announce(books.length > 1 ? 'Both are in your bag.' : 'It’s in your bag.'),
      message: notAddedWords,
    },
  )
  const other = books.at(-1)!
  const canChooseOther = useMark(other) === 'choose'
  if (books.some((book) => offerOf(book) === 'none')) return null
  // Free titles and a member's free audiobook are taken on their own page, which explains them.
  if (canChooseOther || books.some((book) => offerOf(book) !== 'buy'))
    return other === page ? null : (
      <LinkButton {...linkTo(other)} look="quiet">
        See the {FORMAT_WORDS[other.entityType]}
      </LinkButton>
    )
  const members = books.map((book) => Math.min(toMinor(book.price), toMinor(book.subscriptionPrice)))
  const others = books.map((book) => toMinor(book.price))
  const own = isMember ? members : others
  const isCheaper = sum(members) < sum(others) && has('membership')
  const inBag = missing.length === 0
  return (
    <>
      <p>
        <b>{price(sum(own))}</b> {books.map(({ entityType }) => FORMAT_WORDS[entityType]).join(' and ')}
        <span>
          {books.length > 1 && `${own.map(price).join(' and ')}. `}
          {isCheaper && !isMember && <em>{price(sum(members))} for members</em>}
        </span>
      </p>
      <div className={cx('row gap-3', styles.adding)}>
        <Button look="quiet" busy={busy} aria-disabled={inBag} onClick={() => void write()}>
          {inBag ? 'In your bag' : books.length > 1 ? 'Add both to bag' : 'Add to bag'}
        </Button>
        {inBag && (
          <LinkButton to="/shopping-bag" look="text">
            See your bag
          </LinkButton>
        )}
      </div>
      {refusal && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0)

/** Browsers that stop at the end of a fragment do so up to a frame early. */
const FRAME_SECONDS = 0.1

/** About ten seconds of the sample, whose sentences are marked while they are spoken. */
function Demonstration({ audio, sample: address }: { audio: Book; sample: string }) {
  const button = useId()
  const online = useOnline()
  const { data, isError } = useQuery({ ...sampleSentencesQuery(audio.slug), enabled: !import.meta.env.SSR })
  const shown = useMemo(() => data && tenSecondsOf(data), [data])
  const sample = shown && {
    slug: audio.slug,
    title: audio.title,
    // A media fragment: the browser starts and stops there.
    address: `${address}#t=${shown.from.toFixed(2)},${shown.until.toFixed(2)}`,
  }
  const state = useSamples((current) =>
    sample && current.sample?.address === sample.address ? current : NO_SAMPLE,
  )
  const isOver = shown !== undefined && state.seconds > shown.until - FRAME_SECONDS
  useEffect(() => () => leaveSample(button), [button])
  useEffect(() => {
    // Not every browser stops at the end of a fragment.
    if (isOver) leaveSample(button)
  }, [button, isOver])
  if (isError || (data && !shown)) return null
  const isPlaying = state.status === 'playing' || state.status === 'loading'
  const isStarted = state.status !== 'off' && state.status !== 'ended' && state.status !== 'failed'
  const seconds = isStarted ? Math.max(state.seconds, shown?.from ?? 0) : 0
  const current = shown?.sentences.findLast(({ start }) => isStarted && start <= seconds)
  return (
    <div className={styles.demonstration} style={themeStyle(themeOf(audio))}>
      <Words sentences={shown?.sentences ?? []} current={current} />
      <div className={styles.controls}>
        <button
          type="button"
          className={styles.play}
          aria-label={isPlaying ? 'Pause the ten seconds' : 'Play ten seconds of it'}
          disabled={!sample}
          aria-busy={state.status === 'loading'}
          onClick={() => sample && pressSample(sample, button)}
        >
          <Icon of={isPlaying ? PauseIcon : PlayIcon} filled />
        </button>
        <div>
          <b>
            {state.status === 'failed'
              ? online
                ? 'It didn’t play'
                : 'Needs a connection'
              : 'Ten seconds of it'}
          </b>
          <div className={styles.segments} aria-hidden="true">
            {shown?.sentences.map(({ start, end }) => (
              <i key={start} style={segment(end - start, (seconds - start) / (end - start))} />
            ))}
          </div>
        </div>
        <span className={styles.time} aria-hidden="true">
          {clock(isStarted && shown ? seconds - shown.from : 0)}
        </span>
      </div>
    </div>
  )
}

const segment = (length: number, share: number) =>
  ({ flexGrow: length, '--share': `${Math.min(1, Math.max(0, share)) * 100}%` }) as CSSProperties

interface WordsProps {
  sentences: readonly SampleSentence[]
  current: SampleSentence | undefined
}

/** The spoken sentence has a ground and a bar beside its lines, so that it isn't marked by colour alone. */
function Words({ sentences, current }: WordsProps) {
  const marked = useRef<HTMLSpanElement>(null)
  const [bar, setBar] = useState<{ top: number; height: number }>()
  useEffect(() => {
    const place = () => {
      const lines = [...(marked.current?.getClientRects() ?? [])]
      const top = marked.current?.parentElement?.getBoundingClientRect().top ?? 0
      const [first, last] = [lines[0], lines.at(-1)]
      setBar(first && last && { top: first.top - top, height: last.bottom - first.top })
    }
    place()
    addEventListener('resize', place)
    return () => removeEventListener('resize', place)
  }, [current])
  return (
    <p className={styles.words}>
      {sentences.map((sentence) => (
        <span
          key={sentence.start}
          ref={sentence === current ? marked : undefined}
          aria-current={sentence === current ? 'true' : undefined}
        >
          {sentence.words}{' '}
        </span>
      ))}
      {current && bar && <i className={styles.bar} style={bar} aria-hidden="true" />}
    </p>
  )
}
