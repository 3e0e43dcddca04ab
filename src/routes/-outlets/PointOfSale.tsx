import { has } from '#features/shop-details/shop.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useRef } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { ActivationForm, ActivationResult, CardScanner, PointOfSaleHelp } from './CardActivation.tsx'
import { NetProblem } from '#net/problem.ts'
import {
  priceOf,
  secondsToTakeBack,
  soldToday,
  timeOf,
  canActivate,
  refusalOf,
  type Sold,
  spokenResult,
} from '#features/outlets/activation.ts'
import { settingsQuery } from '#features/cards/queries.ts'
import { cameToScan, isScanningDocument, openScanningDocument } from '#features/outlets/scanner.ts'
import { coverOf } from '#features/catalogue/model.ts'
import {
  accountQuery,
  activationsQuery,
  clockOffsetQuery,
  storeActivation,
} from '#features/outlets/queries.ts'
import { announce } from '#ui/announce.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { isComing } from '#features/query-options.ts'
import { BookshopAccount } from './BookshopAccount.tsx'
import styles from './point-of-sale.module.css'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { clock } from '#format/clock.ts'
import { cx } from '#ui/cx.ts'
import { call } from '#net/call.ts'

/** Activates cards, and shows today's sales and the bookshop's account. */
export function PointOfSale({ owner, bookshop }: { owner: string; bookshop: string }) {
  const queryClient = useQueryClient()
  const emailRequired = useQuery(settingsQuery()).data?.requiredPurchaserEmail ?? false
  const clockOffsetMs = useQuery(clockOffsetQuery()).data ?? 0
  const activations = useQuery(activationsQuery(owner))
  const sold = activations.data?.['hydra:member'] ?? []
  // Render these parts together, so that none shifts another.
  const isDrawn = ![activations, useQuery(accountQuery(owner))].some(isComing)
  const [scanning, setScanning] = useState(cameToScan)

  const note = (activation: CardActivation) => storeActivation(queryClient, owner, activation)
  const field = useActivation({ emailRequired, onActivated: note })
  const { result } = field

  const onTakeBack = (activation: CardActivation) => {
    takeBack(activation.id).then(
      (back) => {
        note(back)
        if (result?.kind === 'activated' && result.activation.id === back.id) field.clear()
        announce(`Taken back: ${back.audioBook.title}, ends ${back.ending}.`, 'assertive')
      },
      (problem: unknown) => {
        toast(takeBackRefusal(problem))
        void queryClient.invalidateQueries({ queryKey: activationsQuery(owner).queryKey })
      },
    )
  }
  const onScan = () => {
    if (scanning) return setScanning(false)
    // Only a document that was loaded at this address may use the camera.
    if (!isScanningDocument() && openScanningDocument()) return
    setScanning(true)
  }
  // Its current state: it may have been redeemed, or taken back from the list.
  const standing =
    result?.kind === 'activated'
      ? (sold.find(({ id }) => id === result.activation.id) ?? result.activation)
      : undefined

  return (
    <Wrap className={styles.desk}>
      {has('cards') ? (
        <section className={styles.till} aria-labelledby="till">
          <Display as="h1" size="lg" id="till">
            Activate card
          </Display>
          <p className={styles.bookshop}>{bookshop}</p>
          <ActivationForm
            code={field.code}
            email={field.email}
            emailRequired={emailRequired}
            busy={field.busy}
            refused={result !== null && 'code' in result && result.code === field.code}
            scanning={scanning}
            onType={field.type}
            onAddress={field.address}
            onActivate={() => void field.activate()}
            onScan={onScan}
          />
          {scanning ? (
            <CardScanner
              onFound={(text) => {
                setScanning(false)
                void field.scanned(text)
              }}
              onStop={() => setScanning(false)}
            />
          ) : (
            result && (
              <ActivationResult
                sold={result}
                cover={standing && <Cover picture={coverOf(standing.audioBook)} alt="" sizes="116px" eager />}
                takeBack={
                  standing && <TakeBack activation={standing} inResult {...{ clockOffsetMs, onTakeBack }} />
                }
              />
            )
          )}
        </section>
      ) : (
        <NoMoreCards bookshop={bookshop} />
      )}
      {isDrawn && (
        <>
          <div className={styles.today}>
            <TodaysCards activations={sold} {...{ clockOffsetMs, onTakeBack }} />
          </div>
          <div className={styles.month}>
            <BookshopAccount owner={owner} />
            <p className={styles.help}>
              Stuck at the till? <PointOfSaleHelp />
            </p>
          </div>
        </>
      )}
    </Wrap>
  )
}

/** For a shop that no longer sells cards: sold ones remain valid, and statements remain available. */
const NoMoreCards = ({ bookshop }: { bookshop: string }) => (
  <section className={styles.till} aria-labelledby="till">
    <Display as="h1" size="lg" id="till">
      {bookshop}
    </Display>
    <p>We don’t sell new cards any more. Those you’ve activated still open, and your statements stay here.</p>
  </section>
)

function takeBackRefusal(problem: unknown): string {
  const reason = problem instanceof NetProblem ? problem.reason : undefined
  if (reason === 'too_late') return 'Ten minutes have passed, so it can’t be taken back any more.'
  if (reason === 'already_redeemed') return 'It has been redeemed already, so it can’t be taken back.'
  return 'That didn’t save. Check your connection and try again.'
}

interface TodaysCardsProps {
  activations: readonly CardActivation[]
  clockOffsetMs: number
  onTakeBack: (activation: CardActivation) => void
}

/** Cards sold today, newest first. */
function TodaysCards({ activations, clockOffsetMs, onTakeBack }: TodaysCardsProps) {
  const { cards, minor } = soldToday(activations)
  return (
    <section aria-labelledby="today">
      <div className={styles.head}>
        <Display id="today">Today</Display>
        <p>{activations.length > 0 && `${plural(cards, 'card')}, ${amount(minor)}`}</p>
      </div>
      {activations.length === 0 ? (
        <p className={styles.none}>No cards yet today.</p>
      ) : (
        <ol role="list" className={styles.list}>
          {activations.map((activation) => (
            <li key={activation.id} className={activation.activated ? undefined : styles.back}>
              <time dateTime={activation.activatedAt}>{timeOf(activation.activatedAt)}</time>
              <span>
                <b>{activation.audioBook.title}</b>
                <small className="quiet">ends {activation.ending}</small>
              </span>
              <span className={styles.price}>{priceOf(activation)}</span>
              <div className={styles.way}>
                {activation.activated ? (
                  <TakeBack {...{ activation, clockOffsetMs, onTakeBack }} />
                ) : (
                  <small className="quiet">Taken back</small>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

interface TakeBackProps {
  activation: CardActivation
  /** The server's clock minus this device's, in milliseconds. */
  clockOffsetMs: number
  onTakeBack: (activation: CardActivation) => void
  inResult?: boolean
}

/** Counts down the seconds in which a card can be taken back, then disappears. */
function TakeBack({ activation, clockOffsetMs, onTakeBack, inResult }: TakeBackProps) {
  const nowMs = useSeconds(activation.takeBackUntil !== null) + clockOffsetMs
  const left = secondsToTakeBack(activation, nowMs)
  if (left === null) return null
  return (
    <p className={cx(styles.takeBack, inResult && styles.inResult)}>
      <button
        type="button"
        aria-label={
          inResult ? undefined : `Take back ${activation.audioBook.title}, ends ${activation.ending}`
        }
        onClick={() => onTakeBack(activation)}
      >
        Take back
      </button>
      {/* Outside the button, so that screen readers don't repeat its name every second. */}
      <small className="quiet">{inResult ? `${clock(left)} left` : clock(left)}</small>
    </p>
  )
}

/** One timer for all rows. */
const rows = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function useSeconds(running: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return undefined
    const tick = () => setNowMs(Date.now())
    rows.add(tick)
    timer ??= setInterval(() => rows.forEach((row) => row()), 1000)
    return () => {
      rows.delete(tick)
      if (rows.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [running])
  return nowMs
}

/** A card that is waiting to be sent, with the address that was typed when it was scanned. */
interface Waiting {
  readonly token: string
  readonly buyerEmail: string | null
}

interface ActivationOptions {
  readonly emailRequired: boolean
  readonly onActivated: (activation: CardActivation) => void
}

/**
 * The state of the point of sale's field. A scanner does not wait for responses, so the field is free again at once and
 * cards are sent one after the other. A refusal stops the queue so that it is noticed: it lists the codes that were not
 * activated, and puts the refused code back into the field.
 */
export function useActivation({ emailRequired, onActivated }: ActivationOptions) {
  const [code, setCode] = useState('')
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Sold | null>(null)
  // Handlers read a ref, because a scanner types faster than React renders.
  const now = useRef({ code: '', email: '', busy: false, waiting: new Array<Waiting>() })

  const type = (typed: string) => {
    now.current.code = typed
    setCode(typed)
  }
  const address = (typed: string) => {
    now.current.email = typed
    setEmail(typed)
  }
  const report = (sold: Sold) => {
    setResult(sold)
    announce(spokenResult(sold), 'assertive')
  }

  async function activate(): Promise<void> {
    const { current } = now
    if (!canActivate({ ...current, emailRequired })) return
    current.waiting.push({ token: current.code.trim(), buyerEmail: current.email.trim() || null })
    type('')
    if (current.busy) return
    current.busy = true
    setBusy(true)
    for (let card = current.waiting.shift(); card; card = current.waiting.shift()) await sellOne(card)
    current.busy = false
    setBusy(false)
  }

  async function sellOne({ token, buyerEmail }: Waiting): Promise<void> {
    const { current } = now
    const sold = await sell(token, buyerEmail)
    if (sold.kind === 'activated') {
      // Keep an address that was typed meanwhile, or that another waiting card needs.
      const isTheirs = (current.email.trim() || null) === buyerEmail
      if (isTheirs && !current.waiting.some((card) => card.buyerEmail === buyerEmail)) address('')
      onActivated(sold.activation)
    }
    if (sold.kind === 'activated' || sold.kind === 'already') return report(sold)
    report({ ...sold, notYet: current.waiting.splice(0).map((card) => card.token) })
    // Text that was typed meanwhile is the next card.
    if (current.code === '') type(token)
  }

  return {
    code,
    email,
    busy,
    result,
    type,
    address,
    activate,
    async scanned(text: string) {
      type(text)
      await activate()
    },
    clear: () => setResult(null),
  }
}

async function sell(token: string, buyerEmail: string | null): Promise<Sold> {
  try {
    return { kind: 'activated', activation: await activateCard(token, buyerEmail) }
  } catch (problem) {
    const refused = refusalOf(problem, token)
    if (refused.kind !== 'already') return refused
    // Without it, the refusal is still true.
    return { ...refused, activation: await findActivation(token).catch(() => null) }
  }
}

/** ENT-20. */
const activateCard = (token: string, buyerEmail: string | null): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/activate', { body: { token, buyerEmail } })

/** This bookshop's earlier activation of the card. */
const findActivation = (token: string): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/find-activation', { body: { token } })

export const takeBack = (id: string): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/activations/{id}/take-back', { params: { id } })
