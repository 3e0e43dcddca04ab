import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { GoInstead } from '#app/problems/GoInstead.tsx'
import type { AudioBookCard, Book, SuggestedAudioBook } from '#contract/catalogue.ts'
import { DAY_MS } from '#contract/durations.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { ChoiceList } from '#features/bag/FreeChoice.tsx'
import { takeToLibrary } from '#features/bag/mutations.ts'
import { choiceQuery } from '#features/bag/queries.ts'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { authorsOf, coverOf, linkTo } from '#features/catalogue/model.ts'
import { bookQuery } from '#features/catalogue/queries.ts'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS } from '#features/query-options.ts'
import { listenTo } from '#features/samples/store.ts'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { plural } from '#format/plural.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { useOnline } from '#net/use-online.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Display } from '#ui/Display.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { toast } from '#ui/toast.ts'
import { useNow } from '#ui/use-now.ts'
import { PageTop } from '../-layout/PageTop.tsx'
import styles from './membership.module.css'

const ClaimQuestion = lazyPart(() => import('#features/bag/ClaimQuestion.tsx'), 'ClaimQuestion')

/** Three audiobooks to choose from, by what the user finished. */
const suggestionsQuery = (owner: string) =>
  queryOptions({
    queryKey: ownKey(owner, 'suggestions'),
    queryFn: ({ signal }) => call('GET /api/suggested_audio_books', { signal, as: owner, background: true }),
    enabled: owner !== '',
    staleTime: TEN_MINUTES_MS,
  })

interface ChooseAudiobookProps {
  books: readonly AudioBookCard[]
  /** All highlights, also those that are not loaded yet. */
  total: number
  /** Loads more of them. */
  children: ReactNode
}

/** The current highlights for a member who can choose from them. */
export function ChooseAudiobook({ books, total, children }: ChooseAudiobookProps) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const owned = useOwnedTitles((state) => state.owned)
  const { data: credits } = useQuery(choiceQuery(owner))
  const { data: suggestions, isPending } = useQuery(suggestionsQuery(owner))
  const online = useOnline()
  const [chosen, setChosen] = useState(0)
  const left = credits?.left ?? 1
  const suggested = suggestions?.['hydra:member'] ?? []
  const open = books.filter(({ slug }) => !owned.has(titleKey('audio', slug)))
  return (
    <>
      <PageTop
        title={
          chosen > 0 && left === 0
            ? 'It’s in your library'
            : `Choose ${left < 2 ? 'one' : left === 2 ? 'two' : left} ${chosen > 0 ? 'more' : `audiobook${left < 2 ? '' : 's'}`}`
        }
        wide
        lead={
          chosen > 0 && left === 0 ? (
            'Yours for good. Press Listen when you are ready.'
          ) : (
            <span className={styles.until}>
              Free this month, yours for good.{' '}
              {credits !== undefined && <Until until={credits?.until ?? null} />}
            </span>
          )
        }
      />
      {isPending && online ? (
        <div className={styles.suggestedSpace} aria-busy="true" />
      ) : (
        suggested.length > 0 && (
          <Suggested suggestions={suggested} onChosen={() => setChosen((before) => before + 1)} />
        )
      )}
      <section aria-labelledby="highlights" className={styles.toChoose}>
        <Display as="h2" size="sm" id="highlights">
          {open.length === 0 ? 'You have every highlight' : `All ${plural(total, 'highlight')}`}
        </Display>
        {open.length === 0 ? (
          <p>The next ones are being chosen. One of our editions can be your free audiobook, too.</p>
        ) : (
          <ChoiceList
            label="Highlights"
            books={open}
            layout="grid"
            canChoose
            words={() => undefined}
            grows
            onChosen={() => setChosen((before) => before + 1)}
          />
        )}
        {children}
        <p>
          <LinkButton to="/editions" search={{ _page: 1, itemsPerPage: PAGE_SIZE.collection }} look="text">
            Or choose one of our editions
          </LinkButton>
        </p>
      </section>
    </>
  )
}

interface SuggestedProps {
  suggestions: readonly SuggestedAudioBook[]
  onChosen: () => void
}

/** Stays the same while it is shown: after a choice the server would suggest others. */
function Suggested({ suggestions, onChosen }: SuggestedProps) {
  const [shown] = useState(suggestions)
  return (
    <section aria-labelledby="suggested" className={styles.toChoose}>
      <Display as="h2" size="sm" id="suggested">
        {shown.length === 3 ? 'Three' : shown.length === 2 ? 'Two' : 'One'} we thought of for you
      </Display>
      <ChoiceList
        label="We thought of these for you"
        books={shown.map(({ book }) => book)}
        layout="rows"
        canChoose
        words={({ slug }) => reasonFor(shown.find(({ book }) => book.slug === slug)?.shared)}
        onChosen={onChosen}
      />
    </section>
  )
}

/** "Choose by 2nd December, 13 days from now." */
function Until({ until }: { until: string | null }) {
  const now = useNow()
  if (!until) return <b>Choose when you like.</b>
  const days = Math.ceil((Date.parse(until) - now) / DAY_MS)
  return (
    <>
      <b>Choose by {dayAndMonth(lastDay(until))}</b>
      {days > 1 ? `, ${plural(days, 'day')} from now.` : ', today or tomorrow.'}
    </>
  )
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** One line about what a title has in common with one that was finished. */
export function reasonFor(shared: SuggestedAudioBook['shared'] | undefined): string | undefined {
  if (!shared) return undefined
  const { kind, name, finished } = shared
  if (kind === 'series') return `Also in ${name}, like ${finished}`
  if (kind === 'author') return `Also by ${name}, whose ${finished} you finished`
  if (kind === 'narrator') return `Read by ${name}, like ${finished}`
  return `${capital(name)}, like ${finished}`
}

interface AskedChoiceProps {
  /** From a cover in an email. */
  slug: string
  onClose: () => void
}

/** Asks whether the title of an email's cover should be the free audiobook; logs in first, if needed. */
export function AskedChoice(props: AskedChoiceProps) {
  const ready = useSession((state) => state.ready)
  const status = useSession((state) => state.status)
  if (!ready) return null
  return status === 'user' ? <Asked {...props} /> : <GoInstead to="/login" />
}

function Asked({ slug, onClose }: AskedChoiceProps) {
  const queryClient = useQueryClient()
  const { data: book, isError } = useQuery(bookQuery('audio_books', slug))
  const owned = useOwnedTitles((state) => state.owned.has(titleKey('audio', slug)))
  const hasCredit = useSession((state) => state.user?.hasCredit)
  const owner = useSession((state) => state.owner?.uuid)
  // A new session doesn't have the user yet.
  useQuery({
    queryKey: ['asked-choice', owner],
    queryFn: () => reloadUser().then(() => true),
    enabled: hasCredit === undefined,
    gcTime: 0,
  })
  const [taking, setTaking] = useState(false)
  const [taken, setTaken] = useState(false)
  const take = async (of: Book, choice: { readonly waiver: boolean } | undefined) => {
    if (!choice) return onClose()
    setTaking(true)
    try {
      await takeToLibrary(queryClient, of, choice)
      announce(`${of.title} is in your library.`)
      setTaken(true)
    } catch (problem) {
      toast(
        (problem instanceof NetProblem && problem.kind === 'refused' && problem.description) ||
          'That wasn’t taken. Nothing is used up. Check your connection and try again.',
      )
    } finally {
      setTaking(false)
    }
  }
  if (isError)
    return (
      <Dialog open low onOpenChange={onClose} title="We can’t load this title just now">
        <p>Nothing is used up. Check your connection and open the link again.</p>
      </Dialog>
    )
  if (book === undefined || hasCredit === undefined) return null
  if (book === null)
    return (
      <Dialog open low onOpenChange={onClose} title="We can’t find this title">
        <p>It may have left the shop. Your free audiobook is still yours to choose.</p>
      </Dialog>
    )
  if (taken || owned) return <Yours book={book} onClose={onClose} />
  if (!hasCredit || !(book.secondEdition || book.edition))
    return (
      <Dialog
        open
        low
        onOpenChange={onClose}
        title={
          hasCredit ? 'This one can’t be chosen any more' : 'There’s no free audiobook to choose just now'
        }
        actions={
          <LinkButton {...linkTo(book)} look="solid">
            See the title
          </LinkButton>
        }
      >
        <p>
          {hasCredit
            ? `${book.title} is no longer one of the highlights. Your free audiobook is still yours to choose.`
            : `You’ve chosen it already, or its month is over. ${book.title} can still be yours.`}
        </p>
      </Dialog>
    )
  return (
    <Suspense>
      <ClaimQuestion book={book} busy={taking} onAnswer={(choice) => void take(book, choice)} />
    </Suspense>
  )
}

/** The cover, with Listen now. */
const Yours = ({ book, onClose }: { book: Book; onClose: () => void }) => (
  <Dialog
    open
    low
    onOpenChange={onClose}
    title={`${book.title} is yours`}
    closeLabel="Later"
    actions={
      <Button look="beak" onClick={() => listenTo(book.slug)}>
        Listen now
      </Button>
    }
  >
    <div className={styles.yours}>
      <Cover picture={coverOf(book)} alt="" sizes="240px" />
      <p>{authorsOf(book)}. It’s in your library, and yours for good.</p>
    </div>
  </Dialog>
)
