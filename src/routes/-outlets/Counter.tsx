import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { ActivationForm } from '#features/outlets/ActivationForm.tsx'
import { ActivationResult } from '#features/outlets/ActivationResult.tsx'
import { CardScanner } from '#features/outlets/CardScanner.tsx'
import { refusalText } from '#features/outlets/activation.ts'
import { settingsQuery } from '#features/cards/queries.ts'
import { cameToScan, isScanningDocument, openScanningDocument } from '#features/outlets/scanner.ts'
import { TakeBack } from '#features/outlets/TakeBack.tsx'
import { TodaysCards } from '#features/outlets/TodaysCards.tsx'
import { useActivation } from '#features/outlets/use-activation.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { CounterHelp } from '#features/outlets/CounterHelp.tsx'
import { takeBack } from '#features/outlets/mutations.ts'
import {
  accountQuery,
  activationsQuery,
  clockOffsetQuery,
  noteActivation,
} from '#features/outlets/queries.ts'
import { has } from '#features/shop-details/shop.ts'
import { announce } from '#ui/announce.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { isComing } from '../-layout/is-coming.ts'
import { BookshopAccount } from './BookshopAccount.tsx'
import styles from './Counter.module.css'

/** The field for cards, what was sold today, and what the month comes to. */
export function Counter({ owner, bookshop }: { owner: string; bookshop: string }) {
  const queryClient = useQueryClient()
  const emailRequired = useQuery(settingsQuery()).data?.requiredPurchaserEmail ?? false
  const clockOffsetMs = useQuery(clockOffsetQuery()).data ?? 0
  const activations = useQuery(activationsQuery(owner))
  const sold = activations.data?.['hydra:member'] ?? []
  // All at once: what is drawn before would be pushed down.
  const isDrawn = ![activations, useQuery(accountQuery(owner))].some(isComing)
  const [scanning, setScanning] = useState(cameToScan)

  const note = (activation: CardActivation) => noteActivation(queryClient, owner, activation)
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
        toast(TOO_LATE[refusalText(problem)] ?? 'That didn’t save. Check your connection and try again.')
        void queryClient.invalidateQueries({ queryKey: activationsQuery(owner).queryKey })
      },
    )
  }
  const onScan = () => {
    if (scanning) return setScanning(false)
    // A document that was opened elsewhere in the shop has no right to a camera.
    if (!isScanningDocument() && openScanningDocument()) return
    setScanning(true)
  }
  // As it stands now: it may have been redeemed, or taken back from the list.
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
              Stuck at the till? <CounterHelp />
            </p>
          </div>
        </>
      )}
    </Wrap>
  )
}

/** The shop does without cards by now. What was sold stays sold, and what is owed stays owed. */
const NoMoreCards = ({ bookshop }: { bookshop: string }) => (
  <section className={styles.till} aria-labelledby="till">
    <Display as="h1" size="lg" id="till">
      {bookshop}
    </Display>
    <p>We don’t sell new cards any more. Those you’ve activated still open, and your statements stay here.</p>
  </section>
)

const TOO_LATE: Readonly<Record<string, string>> = {
  'too late': 'Ten minutes have passed, so it can’t be taken back any more.',
  'already redeemed': 'It has been redeemed already, so it can’t be taken back.',
}
