import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { authorsOf, coverOf, lengthOf, linkTo } from '#features/catalogue/model.ts'
import { highlightsQuery } from '#features/catalogue/queries.ts'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { SampleButton } from '#features/samples/SampleButton.tsx'
import { listenTo } from '#features/samples/store.ts'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { toast } from '#ui/toast.ts'
import styles from './bag.module.css'
import { takeToLibrary } from './mutations.ts'
import { choiceQuery } from './queries.ts'

const ClaimQuestion = lazyPart(() => import('./ClaimQuestion.tsx'), 'ClaimQuestion')

export interface FreeChoice {
  readonly left: number
  /** The instant at which it expires; null for a free audiobook without an end. */
  readonly until: string | null
  /** Some of the titles to choose from, without those that the user owns. */
  readonly books: readonly AudioBookCard[]
  readonly total: number
}

/** The free audiobooks that the user can choose now; null without any or a connection, undefined until it is known. */
export function useFreeChoice(): FreeChoice | null | undefined {
  const hasCredit = useSession(({ user }) => user?.hasCredit)
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const wanted = hasCredit === true && owner !== ''
  const { data: credits, isPending, isError } = useQuery({ ...choiceQuery(owner), enabled: wanted })
  const { data: highlights } = useQuery({ ...highlightsQuery(), enabled: wanted })
  const owned = useOwnedTitles((state) => state.owned)
  if (hasCredit === false || isError) return null
  if (!wanted || isPending || !highlights) return undefined
  const books = highlights['hydra:member'].filter(({ slug }) => !owned.has(titleKey('audio', slug)))
  if (books.length === 0) return null
  return {
    left: credits?.left || 1,
    until: credits?.until ?? null,
    books,
    total: highlights['hydra:totalItems'],
  }
}

export const choiceHeading = (left: number): string =>
  left === 1 ? 'One free audiobook is waiting' : `${left === 2 ? 'Two' : left} free audiobooks are waiting`

/** "Choose by 2nd December. It’s yours for good." */
export const ChoiceWords = ({ left, until }: Pick<FreeChoice, 'left' | 'until'>) => (
  <>
    {until ? (
      <>
        Choose by <b>{dayAndMonth(lastDay(until))}</b>.
      </>
    ) : (
      'Choose when you like.'
    )}{' '}
    {left === 1 ? 'It’s' : 'They’re'} yours for good.
  </>
)

interface ChoiceListProps {
  label: string
  books: readonly AudioBookCard[]
  /**
   * `row` scrolls sideways on phones. `beside` does too, and shows the text beside the cover on desktops, with a
   * bookseller's sentence. `rows` always shows the text beside the cover.
   */
  layout: 'row' | 'beside' | 'grid' | 'rows'
  /** Each has a button that chooses it; otherwise there are only samples. */
  canChoose?: boolean
  tone?: 'page' | 'title'
  level?: 'h2' | 'h3'
  /** Below the author, with “Free this month”: what speaks for a title. */
  words?: (book: AudioBookCard) => string | undefined
  /** Titles that are loaded later are added. */
  grows?: boolean
  /** Replaces the toast after a choice. */
  onChosen?: (book: AudioBookCard) => void
}

/** Audiobooks to choose from, each with its sample. A title that is chosen stays in the list while it is shown. */
export function ChoiceList({
  label,
  books,
  layout,
  canChoose = false,
  tone,
  level,
  words,
  grows,
  onChosen,
}: ChoiceListProps) {
  const [shown, setShown] = useState(books)
  const more = books.filter(({ slug }) => !shown.some((each) => each.slug === slug))
  if (grows && more.length > 0) setShown([...shown, ...more])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [asked, setAsked] = useState<AudioBookCard>()
  const { take, taking } = useTake((book) => {
    setChosen((before) => [...before, book.slug])
    if (onChosen) onChosen(book)
    else toast(`${book.title} is in your library.`)
  })
  const hasCredit = useSession(({ user }) => user?.hasCredit === true)
  return (
    <>
      <ul role="list" aria-label={label} className={styles.list} data-layout={layout}>
        {shown.map((book) => (
          <Choice
            key={book.slug}
            book={book}
            tone={tone}
            level={level}
            wide={layout === 'row' || layout === 'grid'}
            words={words && (words(book) ?? '')}
            bookseller={layout === 'beside' ? book.bookseller?.words : undefined}
          >
            {canChoose &&
              (chosen.includes(book.slug) ? (
                <Listen book={book} />
              ) : (
                hasCredit && (
                  <Button
                    look="quiet"
                    tone={tone}
                    className={styles.choose}
                    busy={taking === book.slug}
                    aria-label={`Choose: ${book.title}`}
                    onClick={() => setAsked(book)}
                  >
                    Choose
                  </Button>
                )
              ))}
          </Choice>
        ))}
      </ul>
      {asked && (
        <Suspense>
          <ClaimQuestion
            book={asked}
            onAnswer={(choice) => {
              setAsked(undefined)
              if (choice) void take(asked, choice)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

interface ChoiceProps {
  book: AudioBookCard
  tone: 'page' | 'title' | undefined
  level: 'h2' | 'h3' | undefined
  wide: boolean
  words: string | undefined
  bookseller: string | undefined
  children: ReactNode
}

function Choice({ book, tone, level: Heading = 'h3', wide, words, bookseller, children }: ChoiceProps) {
  const length = lengthOf(book)
  return (
    <li className={styles.item} data-tone={tone}>
      <Link {...linkTo(book)} className={styles.cover} tabIndex={-1} aria-hidden="true">
        <Cover
          picture={coverOf(book)}
          alt=""
          sizes={wide ? '(min-width: 768px) 282px, 44vw' : '(min-width: 900px) 152px, 44vw'}
          lift
        />
      </Link>
      <div>
        <Heading className={styles.title}>
          <Link {...linkTo(book)}>{book.title}</Link>
        </Heading>
        <p className={styles.by}>
          {authorsOf(book)}
          {length && (
            <>
              , <span className={styles.whole}>{length}</span>
            </>
          )}
        </p>
        {words && <p className={styles.reason}>{words}</p>}
        {bookseller && <p className={styles.bookseller}>{bookseller}</p>}
        {words !== undefined && <p className={styles.free}>Free this month</p>}
      </div>
      <div className={styles.ways}>
        {children}
        {children ? (
          <SampleButton book={book} className={styles.sample} />
        ) : (
          <SampleButton book={book} words="Sample" className={styles.alone} />
        )}
      </div>
    </li>
  )
}

const Listen = ({ book: { slug, title } }: { book: AudioBookCard }) => (
  <Button
    look="solid"
    className={styles.choose}
    aria-label={`Listen now: ${title}`}
    onClick={() => listenTo(slug)}
  >
    Listen
  </Button>
)

function useTake(onTaken: (book: AudioBookCard) => void) {
  const queryClient = useQueryClient()
  const [taking, setTaking] = useState<string>()
  const take = async (book: AudioBookCard, choice: { readonly waiver: boolean }) => {
    setTaking(book.slug)
    try {
      await takeToLibrary(queryClient, book, choice)
      announce(`${book.title} is in your library.`)
      onTaken(book)
    } catch (problem) {
      toast(
        (problem instanceof NetProblem && problem.kind === 'refused' && problem.description) ||
          'That didn’t work. Check your connection and try again.',
      )
    } finally {
      setTaking(undefined)
    }
  }
  return { take, taking }
}
