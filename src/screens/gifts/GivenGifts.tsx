import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type RefObject } from 'react'
import type { GivenMembership } from '#contract/membership-gifts.ts'
import { MESSAGES } from '#contract/messages.ts'
import {
  becameWords,
  canSendAgain,
  givenQuery,
  recipientOf,
  sendAgain,
  takeBack,
} from '#features/gifts/given.ts'
import { giftTitle } from '#features/gifts/occasions.ts'
import { Row, Rows } from '#features/membership/Row.tsx'
import { SecondPress } from '#features/membership/SecondPress.tsx'
import { dayAndMonth } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import { CorrectGift } from './CorrectGift.tsx'
import styles from './gifts.module.css'

/** Memberships that somebody gave: what became of each, and what can still be done about it (MEMB-31). */
export function GivenGifts() {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const queryClient = useQueryClient()
  const query = useQuery({ ...givenQuery(owner), enabled: owner !== '' })
  const [asked, setAsked] = useState<{ of: GivenMembership; what: 'correct' | 'take-back' }>()
  const heading = useRef<HTMLHeadingElement>(null)
  const given = query.data?.['hydra:member'] ?? []
  if (query.isError && !query.data)
    return (
      <section className={styles.given} aria-labelledby="gifts">
        <Heading to={heading} />
        <p>We can’t load your gifts just now. Nothing about them has changed.</p>
        <div>
          <Button look="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </div>
      </section>
    )
  if (given.length === 0) return null

  const after = async (words: string) => {
    setAsked(undefined)
    toast(words)
    await queryClient.invalidateQueries({ queryKey: ['own', owner] })
  }
  return (
    <section className={styles.given} aria-labelledby="gifts">
      <Heading to={heading} />
      <Rows>
        {given.map((gift) => (
          <Row
            key={gift.id}
            icon={GiftIcon}
            title={`${giftTitle(gift.plan).join(' ')}, for ${recipientOf(gift)}`}
            words={becameWords(gift)}
          >
            <Ways gift={gift} onAsk={(what) => setAsked({ of: gift, what })} onSent={after} />
          </Row>
        ))}
      </Rows>
      {asked?.what === 'correct' && (
        <CorrectGift
          gift={asked.of}
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
          act={() => takeBack(asked.of.id)}
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
    </section>
  )
}

const Heading = ({ to }: { to: RefObject<HTMLHeadingElement | null> }) => (
  <Display as="h2" size="md" id="gifts" tabIndex={-1} ref={to}>
    Gifts you sent
  </Display>
)

interface WaysProps {
  gift: GivenMembership
  onAsk: (what: 'correct' | 'take-back') => void
  onSent: (words: string) => Promise<void>
}

function Ways({ gift, onAsk, onSent }: WaysProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const to = recipientOf(gift)
  const again = async () => {
    setBusy(true)
    setProblem('')
    try {
      await sendAgain(gift.id)
      await onSent(`It’s on its way to ${gift.giftEmail} once more.`)
    } catch (failure) {
      const words = (failure instanceof NetProblem && failure.description) || MESSAGES.somethingWentWrong
      setProblem(words)
      announce(words, 'assertive')
    } finally {
      setBusy(false)
    }
  }
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
          onClick={() => void again()}
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
      {problem && <p className={styles.problem}>{problem}</p>}
    </div>
  )
}
