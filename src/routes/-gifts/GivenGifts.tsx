import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { useState, type RefObject } from 'react'
import {
  becameWords,
  canSendAgain,
  isMembership,
  recipientOf,
  sendAgain,
  takeBack,
  titleOfGiven,
  type Given,
} from '#features/gifts/given.ts'
import { Row, Rows } from '#features/membership/Row.tsx'
import { SecondPress } from '#features/membership/SecondPress.tsx'
import { dayAndMonth } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { serverMessage, useWrite } from '#writes/use-write.ts'
import { CorrectGift } from './CorrectGift.tsx'
import styles from './gifts.module.css'

interface GivenGiftsProps {
  gifts: readonly Given[]
  /** From the link in the giver's email, for a giver who isn't logged in. */
  token?: string | undefined
  /** Receives the focus when a dialog about a gift closes. */
  heading: RefObject<HTMLHeadingElement | null>
  onChanged: () => Promise<unknown>
}

/** Books and memberships that the user gave: the state of each, and what the giver can still do (MEMB-31). */
export function GivenGifts({ gifts, token, heading, onChanged }: GivenGiftsProps) {
  const [asked, setAsked] = useState<{ of: Given; what: 'correct' | 'take-back' }>()
  const after = async (words: string) => {
    setAsked(undefined)
    toast(words)
    await onChanged()
  }
  return (
    <>
      <Rows>
        {gifts.map((gift) => (
          <Row
            key={gift.id}
            icon={isMembership(gift) ? GiftIcon : BookOpenIcon}
            title={titleOfGiven(gift)}
            words={becameWords(gift)}
          >
            <Ways gift={gift} token={token} onAsk={(what) => setAsked({ of: gift, what })} onSent={after} />
          </Row>
        ))}
      </Rows>
      {asked?.what === 'correct' && (
        <CorrectGift
          gift={asked.of}
          token={token}
          onClose={() => setAsked(undefined)}
          onCorrected={() =>
            after(
              asked.of.state === 'scheduled'
                ? 'Your gift is corrected.'
                : 'Your gift is corrected. Only the newest link opens it now.',
            )
          }
        />
      )}
      {asked?.what === 'take-back' && asked.of.takeBack && (
        <SecondPress
          title={
            asked.of.takeBack.amount > 0
              ? `Take it back and get ${amount(toMinor(asked.of.takeBack.amount))} back?`
              : 'Take it back?'
          }
          press="Take it back"
          keep="Keep the gift"
          focusAfter={heading}
          act={() => takeBack(asked.of, token)}
          onClose={() => setAsked(undefined)}
          onDone={() =>
            after(
              asked.of.takeBack?.amount
                ? 'Your gift is taken back. Your money is on its way.'
                : 'Your gift is taken back.',
            )
          }
        >
          <p>
            {asked.of.state === 'scheduled'
              ? `Nothing is sent to ${recipientOf(asked.of)}.`
              : `The link we sent to ${recipientOf(asked.of)} stops working.`}
            {asked.of.takeBack.amount > 0 && ' The money goes back to where it came from within a few days.'}
          </p>
        </SecondPress>
      )}
    </>
  )
}

interface WaysProps {
  gift: Given
  token: string | undefined
  onAsk: (what: 'correct' | 'take-back') => void
  onSent: (words: string) => Promise<void>
}

function Ways({ gift, token, onAsk, onSent }: WaysProps) {
  const to = recipientOf(gift)
  const { write, busy, refusal } = useWrite(() => sendAgain(gift, token), {
    onSuccess: () => onSent(`It’s on its way to ${gift.giftEmail} once more.`),
    onFailure: (problem) => announce(serverMessage(problem), 'assertive'),
    message: serverMessage,
  })
  if (!gift.changeable && !gift.takeBack) return null
  return (
    <div className={styles.ways}>
      {gift.changeable && (
        <Button look="text" aria-label={`Edit the gift for ${to}`} onClick={() => onAsk('correct')}>
          Edit
        </Button>
      )}
      {canSendAgain(gift) && (
        <Button
          look="text"
          busy={busy}
          aria-label={`Send again, the gift for ${to}`}
          onClick={() => void write()}
        >
          Send again
        </Button>
      )}
      {gift.takeBack && (
        <Button look="text" aria-label={`Take back the gift for ${to}`} onClick={() => onAsk('take-back')}>
          Take back
        </Button>
      )}
      {gift.takeBack && <p>Until {dayAndMonth(gift.takeBack.until)} you can take it back.</p>}
      {refusal && <p className={styles.problem}>{refusal}</p>}
    </div>
  )
}
