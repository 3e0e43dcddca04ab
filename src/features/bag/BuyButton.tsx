import { within } from '#device/wait.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Book } from '#contract/catalogue.ts'
import { price, toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { currentSession, sessionKnown, useIsMember } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import styles from './BuyButton.module.css'
import { cartStateOf, isInBag, offerOf, type Offer } from './model.ts'
import { addToBag, takeToLibrary } from './mutations.ts'
import { bagQuery } from './queries.ts'
import { useBagHolder } from './store.ts'

/** Needed by few, and by nobody before a press. */
const ClaimQuestion = lazy(async () => ({ default: (await import('./ClaimQuestion.tsx')).ClaimQuestion }))

/** The button says this long what it did before it returns to its label (BAG-11 sets it for the library). */
const CLAIMED_FOR_MS = 5_000
const ADDED_FOR_MS = 3_000

type Step = 'idle' | 'submitting' | 'added' | 'claimed'

interface BuyButtonProps {
  book: Book
  /** A visitor takes a free book: somebody must be logged in first (ROLE-05). */
  onLogInFirst: () => void
  /** After the server agreed: for the counting of events. */
  onAdded?: (book: Book) => void
}

/** The way to have a book, in its place: buy it, take it, claim it, or give it away. Give it a `key` per book (BOOK-20). */
export function BuyButton({ book, onLogInFirst, onAdded }: BuyButtonProps) {
  const queryClient = useQueryClient()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const isMember = useIsMember()
  const [step, setStep] = useState<Step>('idle')
  const [problem, setProblem] = useState('')
  const [asking, setAsking] = useState(false)
  useReset(step, setStep)

  const offer = offerOf(book)
  const other = book.eBook ?? book.audioBook
  const state = cartStateOf(cart?.items ?? [], book, other?.slug)
  const costs = isMember
    ? Math.min(toMinor(book.price), toMinor(book.subscriptionPrice))
    : toMinor(book.price)

  const run = async (done: Step, said: string, work: () => Promise<unknown>) => {
    setProblem('')
    setStep('submitting')
    try {
      await work()
      setStep(done)
      announce(said)
    } catch (failure) {
      setStep('idle')
      // Nothing was paid, so the button is simply ready again, without a message (ERR-32).
      if (offer !== 'free') setProblem(wordsFor(failure))
    }
  }
  const add = () =>
    run('added', `${book.title} is in your bag.`, async () => {
      await addToBag(queryClient, book)
      onAdded?.(book)
    })
  const take = async (choice?: { readonly waiver: boolean }) => {
    setStep('submitting')
    await within(ADDED_FOR_MS, sessionKnown())
    if (currentSession().status !== 'user') {
      setStep('idle')
      return onLogInFirst()
    }
    await run('claimed', `${book.title} is in your library.`, () => takeToLibrary(queryClient, book, choice))
  }

  const kept = offer === 'buy' || offer === 'gift'
  const inBag = kept && isInBag(state)
  const words = labelFor({ step, offer, inBag, priceWords: price(costs) })
  if (!words) return null
  return (
    <>
      <Button
        // One button in one place through all its states, so that the focus stays where it is.
        look={offer === 'gift' || offer === 'owned-free' ? 'quiet' : 'beak'}
        tone="title"
        busy={step === 'submitting'}
        aria-disabled={step === 'added' || step === 'claimed' || offer === 'owned-free' || inBag}
        onClick={() => {
          if (offer === 'claim') setAsking(true)
          else void (kept ? add() : take())
        }}
      >
        {words}
      </Button>
      {asking && (
        <Suspense>
          <ClaimQuestion
            title={book.title}
            onAnswer={(choice) => {
              setAsking(false)
              if (choice) void take(choice)
            }}
          />
        </Suspense>
      )}
      {(step === 'added' || inBag) && (
        <LinkButton to="/shopping-bag" look="text" tone="title">
          See your bag
        </LinkButton>
      )}
      {offer === 'buy' && state.startsWith('other') && (
        <p className={styles.note}>
          The {state === 'other-ebook' ? 'e-book' : 'audiobook'} is already in your bag.
        </p>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

interface Label {
  readonly step: Step
  readonly offer: Offer
  readonly inBag: boolean
  readonly priceWords: string
}

function labelFor({ step, offer, inBag, priceWords }: Label): string {
  if (step === 'claimed') return 'ADDED TO LIBRARY!'
  if (step === 'added') return 'ADDED TO BAG!'
  if (inBag && step === 'idle') return 'IN BAG'
  const words: Record<Offer, string> = {
    none: '',
    'owned-free': 'ALREADY IN LIBRARY',
    gift: `Gift, ${priceWords}`,
    free: 'ADD TO LIBRARY',
    claim: 'Choose as free audiobook',
    buy: 'Add to bag',
  }
  return words[offer]
}

function useReset(step: Step, setStep: (step: Step) => void): void {
  useEffect(() => {
    if (step !== 'added' && step !== 'claimed') return undefined
    const timer = setTimeout(() => setStep('idle'), step === 'claimed' ? CLAIMED_FOR_MS : ADDED_FOR_MS)
    return () => clearTimeout(timer)
  }, [step, setStep])
}

function wordsFor(failure: unknown): string {
  if (failure instanceof NetProblem && failure.kind === 'refused' && failure.description)
    return failure.description
  return 'That didn’t go into your bag. Check your connection and try again.'
}
