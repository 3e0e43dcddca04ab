import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { within } from '#storage/wait.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { Book } from '#contract/catalogue.ts'
import { price, toMinor } from '#format/money.ts'
import { currentSession, sessionKnown, useIsMember } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './bag.module.css'
import { cartStateOf, isInBag, notAddedWords, offerOf, type Offer } from './model.ts'
import { addToBag, takeToLibrary } from './mutations.ts'
import { bagQuery } from './queries.ts'
import { useBagHolder } from './store.ts'
import type { ShownCart } from './waiting.ts'

/** Loaded on demand: few visitors need it, and only after a press. */
const ClaimQuestion = lazyPart(() => import('./ClaimQuestion.tsx'), 'ClaimQuestion')

/** How long the button shows the result before it returns to its label (BAG-11 sets it for the library). */
const CLAIMED_FOR_MS = 5_000
const ADDED_FOR_MS = 3_000

type Step = 'idle' | 'submitting' | 'added' | 'claimed'

interface BuyButtonProps {
  book: Book
  /** Called when a visitor takes a free book, which needs a log-in first (ROLE-05). */
  onLogInFirst: () => void
  onAdded?: (book: Book) => void
}

/**
 * The button to get a book: buy it, take it, or claim it. Give it a `key` per book (BOOK-20). For a book that was
 * just taken it says so, as a line of text.
 */
export function BuyButton({ book, onLogInFirst, onAdded }: BuyButtonProps) {
  const queryClient = useQueryClient()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const isMember = useIsMember()
  const [step, setStep] = useState<Step>('idle')
  const [problem, setProblem] = useState('')
  const [asking, setAsking] = useState(false)
  const [pressed, setPressed] = useState<'claim' | 'bag' | 'gift'>('claim')
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
      // Nothing was paid, so the button becomes ready again, without a message (ERR-32).
      if (offer !== 'free') setProblem(notAddedWords(failure))
    }
  }
  const add = (gift = false) =>
    run('added', `${book.title} is in your bag.`, async () => {
      if (await addToBag(queryClient, book, { gift })) onAdded?.(book)
    })
  const addInstead = async (as: 'bag' | 'gift') => {
    setPressed(as)
    await add(as === 'gift')
  }
  const take = async (choice?: { readonly waiver: boolean }) => {
    setPressed('claim')
    setStep('submitting')
    await within(ADDED_FOR_MS, sessionKnown())
    if (currentSession().status !== 'user') {
      setStep('idle')
      return onLogInFirst()
    }
    await run('claimed', `${book.title} is in your library.`, () => takeToLibrary(queryClient, book, choice))
  }

  const inBag = offer === 'buy' && isInBag(state)
  const claimable = offer === 'claim' && step !== 'claimed'
  const hasOffer = claimable && isInBag(state)
  const words = labelFor({
    step: claimable && step === 'added' ? 'idle' : step,
    offer,
    inBag,
  })
  const isTaken = step === 'claimed' || offer === 'owned-free'
  if (!words) return null
  return (
    <>
      <Button
        // The same element in all states, so that it keeps the focus.
        look={isTaken ? 'text' : 'beak'}
        tone="title"
        className={isTaken ? styles.taken : undefined}
        busy={step === 'submitting' && !(claimable && pressed !== 'claim')}
        aria-disabled={(step === 'added' && !claimable) || isTaken || inBag}
        onClick={() => {
          if (offer === 'claim') setAsking(true)
          else void (offer === 'buy' ? add() : take())
        }}
      >
        {isTaken && <Icon of={CheckIcon} size={18} />}
        {words}
      </Button>
      {/* A member may save the free audiobook for another title, and buy or give this one. */}
      {claimable && !hasOffer && (
        <>
          <Button
            look="quiet"
            tone="title"
            busy={step === 'submitting' && pressed === 'bag'}
            aria-disabled={step !== 'idle'}
            onClick={() => step === 'idle' && void addInstead('bag')}
          >
            {step === 'added' ? 'ADDED TO BAG!' : 'Add to bag'}
          </Button>
          {step !== 'added' && (
            <Button
              look="quiet"
              tone="title"
              busy={step === 'submitting' && pressed === 'gift'}
              aria-disabled={step !== 'idle'}
              onClick={() => step === 'idle' && void addInstead('gift')}
            >
              {`Gift, ${price(costs)}`}
            </Button>
          )}
        </>
      )}
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
      {(step === 'added' || inBag || hasOffer) && (
        <LinkButton to="/shopping-bag" look="text" tone="title">
          See your bag
        </LinkButton>
      )}
      <WaitsHere isShown={inBag} cart={cart} />
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

const WaitsHere = ({ isShown, cart }: { isShown: boolean; cart: ShownCart | null | undefined }) =>
  isShown && cart?.checkedAt !== undefined ? (
    <p className={styles.note}>You’re offline. We’ll check the price when you’re back online.</p>
  ) : null

interface Label {
  readonly step: Step
  readonly offer: Offer
  readonly inBag: boolean
}

function labelFor({ step, offer, inBag }: Label): string {
  if (step === 'claimed') return 'ADDED TO LIBRARY!'
  if (step === 'added') return 'ADDED TO BAG!'
  if (inBag && step === 'idle') return 'IN BAG'
  const words: Record<Offer, string> = {
    none: '',
    'owned-free': 'ALREADY IN LIBRARY',
    gift: '',
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
