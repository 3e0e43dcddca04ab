import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useRef, useState, type FormEvent, useId } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import {
  allGivenQuery,
  becameWords,
  canSendAgain,
  type Given,
  givenByLinkQuery,
  isMembership,
  recipientOf,
  sendAgain,
  takeBack,
  titleOfGiven,
  correctGift,
} from '#features/gifts/given-gifts.ts'
import { PrintCard } from '#features/gifts/PrintCard.tsx'
import { Row, Rows, SecondPress } from '#features/membership/MembershipState.tsx'
import { ownKey } from '#features/query-keys.ts'
import { isOpen } from '#features/shop-details/shop.ts'
import { dayAndMonth } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { CannotLoad, Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { serverMessage, useWrite } from '../../writes/use-write.ts'
import styles from './gifts.module.css'
import { GiftCode, WaitingGifts } from './WaitingGifts.tsx'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from '#contract/limits.ts'
import { arrivalInWords, type GiftDraft, problemsOfGiftDraft } from '#features/gifts/draft.ts'
import { dayIn, todayIn, typedDay } from '#format/calendar-day.ts'
import { DayField } from '#ui/DayField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmailField, Field, TextArea } from '#ui/Field.tsx'
import { useNow } from '#ui/use-now.ts'
import { Refusal } from '#writes/Refusal.tsx'

export function GivenGiftsScreen() {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const queryClient = useQueryClient()
  const query = useQuery({ ...allGivenQuery(owner), enabled: owner !== '' })
  return (
    <Gifts
      title="Gifts"
      above={
        <>
          <WaitingGifts />
          <GiftCode />
          <Display as="h2" size="md" className={styles.sentTitle}>
            Gifts you’ve sent
          </Display>
        </>
      }
      query={query}
      gifts={query.data}
      onChanged={() => queryClient.invalidateQueries({ queryKey: ownKey(owner) })}
      empty={
        <Empty
          title="You haven’t sent a gift yet."
          help="Any book can be a gift: choose Gift on its page. A membership can be one too."
          action={
            <>
              <LinkButton to="/browse" look="solid">
                Browse the shelves
              </LinkButton>
              {isOpen('/gift') && (
                <LinkButton to="/gift" look="quiet">
                  Give a membership
                </LinkButton>
              )}
            </>
          }
        />
      }
    />
  )
}

export function GivenByLinkScreen({ token }: { token: string }) {
  const signedIn = useSession((state) => state.status === 'user')
  const query = useQuery(givenByLinkQuery(token))
  const { data: gift, error } = query
  const isUnknown = gift === null || (error instanceof NetProblem && error.status === 404)
  return (
    <Gifts
      title="Your gift"
      query={isUnknown ? { ...query, isError: false } : query}
      gifts={isUnknown ? [] : gift && [gift]}
      token={token}
      onChanged={() => query.refetch()}
      empty={
        <Empty
          title="This link doesn’t lead to a gift."
          help={
            signedIn
              ? 'It may be incomplete. All the gifts you’ve sent are on one page.'
              : 'It may be incomplete. Log in to see all the gifts you’ve sent.'
          }
          action={
            <LinkButton to="/gifts" search={{}} look="solid">
              Gifts you’ve sent
            </LinkButton>
          }
        />
      }
      below={
        signedIn &&
        !isUnknown && (
          <LinkButton to="/gifts" search={{}} look="text">
            All the gifts you’ve sent
          </LinkButton>
        )
      }
    />
  )
}

interface GiftsProps {
  title: string
  above?: ReactNode
  query: { isError: boolean; isFetching: boolean; refetch: () => unknown }
  gifts: readonly Given[] | undefined
  token?: string
  onChanged: () => Promise<unknown>
  empty: ReactNode
  below?: ReactNode
}

function Gifts({ title, above, query, gifts, token, onChanged, empty, below }: GiftsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Wrap className={styles.sent}>
      <PageHead title={title} hidden />
      <Display as="h1" size="lg" tabIndex={-1} ref={heading}>
        {title}
      </Display>
      {above}
      {gifts === undefined && query.isError ? (
        <CannotLoad
          title="We can’t load your gifts just now."
          help="Check your connection and try again. Nothing about them has changed."
          busy={query.isFetching}
          onRetry={() => query.refetch()}
        />
      ) : gifts === undefined ? (
        <div aria-busy="true">
          <Skeleton height="220px" />
        </div>
      ) : gifts.length === 0 ? (
        empty
      ) : (
        <GivenGifts gifts={gifts} token={token} heading={heading} onChanged={onChanged} />
      )}
      {below}
    </Wrap>
  )
}

interface GivenGiftsProps {
  gifts: readonly Given[]
  /** From the link in the giver's email, for a giver who isn't logged in. */
  token?: string | undefined
  /** Receives the focus when a dialog about a gift closes. */
  heading: RefObject<HTMLHeadingElement | null>
  onChanged: () => Promise<unknown>
}

/**
 * The books and memberships that the user gave: the state of each, and what the giver can still do (MEMB-31).
 */
function GivenGifts({ gifts, token, heading, onChanged }: GivenGiftsProps) {
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
            {gift.thanks && (
              <blockquote className={styles.thanks}>
                <p>{gift.thanks}</p>
              </blockquote>
            )}
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
      {gift.changeable && <PrintCard gift={gift} token={token} />}
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

interface CorrectGiftProps {
  gift: Given
  /** From the link in the giver's email, for a giver who isn't logged in. */
  token?: string | undefined
  onClose: () => void
  onCorrected: () => Promise<void>
}

/**
 * The giver can correct the recipient and the note until the gift is claimed, and the day until it has come.
 */
function CorrectGift({ gift, token, onClose, onCorrected }: CorrectGiftProps) {
  const id = useId()
  const now = useNow()
  /**
   * The time zone of the original order, as in the list: an edit from another zone must not move the
   * delivery.
   */
  const membership = isMembership(gift) ? gift : undefined
  const zone = gift.giftTimeZone ?? 'UTC'
  const isChristmas = membership?.christmas ?? false
  const [draft, setDraft] = useState<GiftDraft>({
    firstName: membership?.giftRecipientFirstName ?? '',
    email: gift.giftEmail,
    message: gift.giftMessage ?? '',
    day: gift.giftDeliveryDate ? typedDay(gift.giftDeliveryDate) : '',
  })
  const [tried, setTried] = useState(false)
  const isScheduled = gift.state === 'scheduled' && gift.giftDeliveryDate !== null
  const today = todayIn(zone, now)
  const { day: _day, ...problems } = problemsOfGiftDraft(draft, isChristmas ? 'xmas' : 'gift', today)
  const dayProblem = problemsOfGiftDraft(draft, 'xmas', today).day
  const chosen = dayIn(draft.day)
  const write = (typed: Partial<GiftDraft>) => setDraft((before) => ({ ...before, ...typed }))

  const correction = {
    giftEmail: draft.email.trim(),
    ...(membership ? { giftRecipientFirstName: draft.firstName.trim() || null } : {}),
    giftMessage: draft.message.trim() || null,
    ...(isScheduled && chosen && chosen !== gift.giftDeliveryDate
      ? { giftDeliveryDate: chosen, giftTimeZone: zone }
      : {}),
  }
  const {
    write: save,
    busy,
    refusal,
  } = useWrite(() => correctGift(gift, correction, token), {
    onSuccess: onCorrected,
    onFailure: (problem) => announce(serverMessage(problem), 'assertive'),
    message: serverMessage,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(problems).length === 0 && !(isScheduled && dayProblem)) void save()
  }
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={`Edit the gift for ${recipientOf(gift)}`}
      closeLabel="Cancel"
      actions={
        <Button type="submit" form={id} look="solid" busy={busy}>
          Save
        </Button>
      }
    >
      <form id={id} className="stack gap-4" noValidate onSubmit={submit}>
        {membership && (
          <Field
            label={isChristmas ? 'Their first name *' : 'Their first name'}
            autoComplete="off"
            maxLength={NAME_LENGTH}
            value={draft.firstName}
            error={tried ? problems.firstName : undefined}
            onChange={(event) => write({ firstName: event.target.value })}
          />
        )}
        <EmailField
          label="Their email *"
          autoComplete="off"
          value={draft.email}
          error={tried ? problems.email : undefined}
          hint={
            gift.state === 'scheduled'
              ? 'Nothing has been sent yet. It goes to this address on the day.'
              : 'We’ll send a new link. The one before stops working.'
          }
          onChange={(event) => write({ email: event.target.value })}
        />
        <TextArea
          label="In your own words"
          rows={3}
          maxLength={GIFT_MESSAGE_LENGTH}
          value={draft.message}
          onChange={(event) => write({ message: event.target.value })}
        />
        {isScheduled && (
          <DayField
            folded
            label="Delivery date *"
            value={draft.day}
            first={today}
            error={tried ? dayProblem : undefined}
            hint={chosen && chosen >= today ? arrivalInWords(chosen, zone, now) : undefined}
            onChange={(day) => write({ day })}
          />
        )}
        <Refusal message={refusal} />
      </form>
    </Dialog>
  )
}
