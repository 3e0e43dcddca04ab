import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { within } from '#storage/wait.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { Book } from '#contract/catalogue.ts'
import { price, toMinor } from '#format/money.ts'
import { currentSession, sessionKnown, useIsMember } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useWrite } from '#writes/use-write.ts'
import type { MenuEntry } from '#ui/Menu.tsx'
import { toast } from '#ui/toast.ts'
import styles from './bag.module.css'
import { cartStateOf, isInBag, notAddedWords, offerOf, type Offer } from './model.ts'
import { addToBag, takeToLibrary, priceFor } from './mutations.ts'
import { bagQuery } from './queries.ts'
import { useBagHolder } from './store.ts'
import type { ShownCart } from './waiting.ts'

/** Loaded on demand: few visitors need it, and only after a press. */
const ClaimQuestion = lazyPart(() => import('./ClaimQuestion.tsx'), 'ClaimQuestion')

/** How long the button shows the result before it returns to its label (BAG-11 sets it for the library). */
const CLAIMED_FOR_MS = 5_000
const ADDED_FOR_MS = 3_000

type Done = 'added' | 'claimed'
type Step = 'idle' | 'submitting' | Done

interface Press {
  readonly as: 'claim' | 'bag' | 'gift'
  /** The answer to the question before a free audiobook is chosen. */
  readonly choice?: { readonly waiver: boolean }
}

interface BuyButtonProps {
  book: Book
  /** Called when a visitor takes a free book, which needs a log-in first (ROLE-05). */
  onLogInFirst: () => void
  onAdded?: ((book: Book) => void) | undefined
  /** Another button comes first. */
  quiet?: boolean | undefined
}

/**
 * The button to get a book: buy it, take it, or claim it. Give it a `key` per book (BOOK-20). For a book that was
 * just taken it says so, as a line of text.
 */
export function BuyButton({ book, onLogInFirst, onAdded, quiet }: BuyButtonProps) {
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const isMember = useIsMember()
  const [asking, setAsking] = useState(false)
  const { run, pressed, step, problem } = usePress({ book, onLogInFirst, onAdded })

  const offer = offerOf(book)
  const other = book.eBook ?? book.audioBook
  const state = cartStateOf(cart?.items ?? [], book, other?.slug)
  const costs = isMember
    ? Math.min(toMinor(book.price), toMinor(book.subscriptionPrice))
    : toMinor(book.price)

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
        look={lookOf(isTaken, quiet)}
        tone="title"
        className={isTaken ? styles.taken : undefined}
        busy={step === 'submitting' && !(claimable && pressed !== 'claim')}
        aria-disabled={(step === 'added' && !claimable) || isTaken || inBag}
        onClick={() => {
          if (offer === 'claim') setAsking(true)
          else run({ as: offer === 'buy' ? 'bag' : 'claim' })
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
            onClick={() => step === 'idle' && run({ as: 'bag' })}
          >
            {step === 'added' ? 'ADDED TO BAG!' : 'Add to bag'}
          </Button>
          {step !== 'added' && (
            <Button
              look="quiet"
              tone="title"
              busy={step === 'submitting' && pressed === 'gift'}
              aria-disabled={step !== 'idle'}
              onClick={() => step === 'idle' && run({ as: 'gift' })}
            >
              {`Gift, ${price(costs)}`}
            </Button>
          )}
        </>
      )}
      {asking && (
        <Suspense>
          <ClaimQuestion
            book={book}
            onAnswer={(choice) => {
              setAsking(false)
              if (choice) run({ as: 'claim', choice })
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

/** Sends a press, and reports its result for a few seconds. */
function usePress({ book, onLogInFirst, onAdded }: BuyButtonProps) {
  const queryClient = useQueryClient()
  const [done, setDone] = useState<Done>()
  const [pressed, setPressed] = useState<Press['as']>('claim')
  useReset(done, setDone)
  const { write, busy, refusal } = useWrite(
    async ({ as, choice }: Press): Promise<Done | undefined> => {
      if (as !== 'claim') {
        if (await addToBag(queryClient, book, { gift: as === 'gift' })) onAdded?.(book)
        return 'added'
      }
      await within(ADDED_FOR_MS, sessionKnown())
      if (currentSession().status !== 'user') return undefined
      await takeToLibrary(queryClient, book, choice)
      return 'claimed'
    },
    {
      onSuccess: (outcome) => {
        if (!outcome) return onLogInFirst()
        setDone(outcome)
        announce(`${book.title} is in your ${outcome === 'added' ? 'bag' : 'library'}.`)
      },
      message: notAddedWords,
    },
  )
  const run = (press: Press) => {
    if (busy) return
    setPressed(press.as)
    setDone(undefined)
    void write(press)
  }
  const step: Step = busy ? 'submitting' : (done ?? 'idle')
  // Nothing was paid for a free book, so the button becomes ready again, without a message (ERR-32).
  return { run, pressed, step, problem: offerOf(book) === 'free' ? '' : refusal }
}

const WaitsHere = ({ isShown, cart }: { isShown: boolean; cart: ShownCart | null | undefined }) =>
  isShown && cart?.checkedAt !== undefined ? (
    <p className={styles.note}>You’re offline. We’ll check the price when you’re back online.</p>
  ) : null

const lookOf = (isTaken: boolean, quiet = false) => (isTaken ? 'text' : quiet ? 'quiet' : 'beak')

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

function useReset(done: Done | undefined, setDone: (done: undefined) => void): void {
  useEffect(() => {
    if (!done) return undefined
    const timer = setTimeout(() => setDone(undefined), done === 'claimed' ? CLAIMED_FOR_MS : ADDED_FOR_MS)
    return () => clearTimeout(timer)
  }, [done, setDone])
}

/** BAG-15: the entry of an owned title's menu that gives it away. Undefined for a title that can't be given. */
export function useGiftEntry(book: Book, onAdded: (book: Book) => void): MenuEntry | undefined {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  if (offerOf(book) !== 'gift') return undefined
  if (isInBag(cartStateOf(cart?.items ?? [], book, undefined)))
    return { key: 'gift', label: 'In your bag, as a gift', ruled: true, link: <Link to="/shopping-bag" /> }
  const give = async () => {
    try {
      if (await addToBag(queryClient, book, { gift: true })) onAdded(book)
      toast(`${book.title} is in your bag, as a gift.`, {
        action: { label: 'See your bag', onPress: () => void navigate({ to: '/shopping-bag' }) },
      })
    } catch (failure) {
      toast(notAddedWords(failure))
    }
  }
  return {
    key: 'gift',
    label: `Gift, ${price(toMinor(priceFor(book)))}`,
    ruled: true,
    onSelect: () => void give(),
  }
}
