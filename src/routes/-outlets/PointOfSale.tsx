import { has } from '#features/shop-details/shop.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { ActivationForm, ActivationResult, CardScanner, PointOfSaleHelp } from './CardActivation.tsx'
import { NetProblem } from '#net/problem.ts'
import { priceOf, secondsToTakeBack, soldToday, timeOf } from '#features/outlets/activation.ts'
import { settingsQuery } from '#features/cards/queries.ts'
import { cameToScan, isScanningDocument, openScanningDocument } from '#features/outlets/scanner.ts'
import { takeBack, useActivation } from '#features/outlets/use-activation.ts'
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
import { isComing } from '#routes/-layout/is-coming.ts'
import { BookshopAccount } from './BookshopAccount.tsx'
import styles from './point-of-sale.module.css'
import { amount } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { clock } from '#format/clock.ts'
import { cx } from '#ui/cx.ts'

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
