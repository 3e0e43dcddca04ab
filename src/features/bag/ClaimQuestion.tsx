import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { authorsOf, coverOf } from '#features/catalogue/model.ts'
import { amount, price, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useWrite } from '#writes/use-write.ts'
import styles from './bag.module.css'
import { choiceQuery } from './queries.ts'

interface ClaimQuestionProps {
  book: BookCard
  /** The choice is being sent. */
  busy?: boolean
  /** Undefined for "Not now". */
  onAnswer: (choice: { readonly waiver: boolean } | undefined) => void
}

/**
 * Asks for confirmation, because a free audiobook can't be swapped later. A member who can still withdraw
 * also reads how the choice reduces the refund.
 */
export function ClaimQuestion({ book, busy = false, onAnswer }: ClaimQuestionProps) {
  const { title } = book
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const { data, isPending } = useQuery({ ...choiceQuery(owner), retry: false })
  const [waived, setWaived] = useState(false)
  const left = data?.leavesToPayBack ?? null
  if (data?.confirmAddressFirst) return <ConfirmFirst title={title} onClose={() => onAnswer(undefined)} />
  const words = left === null ? undefined : data?.gift ? LESS_FOR_GIVER : leavesWords(left)
  return (
    <Dialog
      open
      low
      onOpenChange={() => onAnswer(undefined)}
      title={`Choose ${title} as your free audiobook?`}
      closeLabel="Not now"
      actions={
        <Button
          look="beak"
          busy={busy || (isPending && owner !== '')}
          disabled={words !== undefined && !waived}
          onClick={() => onAnswer({ waiver: waived })}
        >
          Choose it
        </Button>
      }
    >
      <div className={styles.asked}>
        <Cover picture={coverOf(book)} alt="" sizes="96px" />
        <p>
          {authorsOf(book)}
          <br />
          Free this month, {price(toMinor(book.price))} otherwise.
        </p>
      </div>
      <p>It goes straight into your library and is yours to keep. You can’t swap it later.</p>
      {words && (
        <Checkbox
          className={styles.waiver}
          label={words}
          checked={waived}
          onChange={(event) => setWaived(event.target.checked)}
        />
      )}
    </Dialog>
  )
}

const NOT_SENT = 'That didn’t work. Check your connection and try again.'

function ConfirmFirst({ title, onClose }: { title: string; onClose: () => void }) {
  const email = useSession((state) => state.user?.email ?? 'your address')
  const [isSent, setSent] = useState(false)
  const { write, busy, refusal } = useWrite(() => call('POST /api/user_confirmation/resend'), {
    onSuccess: () => setSent(true),
    message: (problem) => (problem instanceof NetProblem && problem.description) || NOT_SENT,
  })
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title="Confirm your email first"
      closeLabel="Not now"
      actions={
        <Button look="beak" busy={busy} onClick={() => void write()}>
          Resend the email
        </Button>
      }
    >
      <p>
        {title} is yours to choose as soon as you’ve confirmed your address. Open the link in the email we
        sent to {email}, then come back here.
      </p>
      <p role="status">{refusal || (isSent && 'A new email is on its way.')}</p>
    </Dialog>
  )
}

/** The recipient of a gift membership must not see its price. */
const LESS_FOR_GIVER = 'I want it now, and understand that my giver gets less back if I return the gift.'
const leavesWords = (pounds: number): string =>
  pounds === 0
    ? 'I want it now, and understand I can’t get this month’s payment back.'
    : `I want it now, and understand I can then get only ${amount(toMinor(pounds))} back.`
