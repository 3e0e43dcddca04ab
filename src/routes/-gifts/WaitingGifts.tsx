import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState, type FormEvent } from 'react'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { coverOf } from '#features/catalogue/model.ts'
import {
  beginsWords,
  useClaimed,
  waitingGiftsQuery,
  waitingMembershipsQuery,
  claimGift,
  seeGift,
  type Found,
} from '#features/gifts/claim.ts'
import { giftTitle } from '#features/gifts/occasions.ts'
import { GiftNote } from '#features/gifts/GiftCard.tsx'
import { useSession } from '#session/store.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { LinkButton, Button } from '#ui/Button.tsx'
import styles from './gifts.module.css'
import { announce } from '#ui/announce.ts'
import { Field } from '#ui/Field.tsx'
import { Refused, serverMessage, useWrite } from '#writes/use-write.ts'
import giftStyles from '#features/gifts/gifts.module.css'

const useOwner = () => useSession((state) => (state.status === 'user' ? (state.owner?.uuid ?? '') : ''))

/**
 * Gifts sent to the account's address. Once the address is confirmed they can be claimed without the email's
 * link.
 */
export function WaitingGifts() {
  const { books, memberships: unclaimed } = useWaiting()
  if (books.length === 0 && unclaimed.length === 0) return null
  return (
    <Waiting title={waitingWords(books.length + unclaimed.length)}>
      {unclaimed.map((gift) => (
        <WaitingMembership key={gift.id} gift={gift} />
      ))}
      {books.map((gift) => {
        const book = gift.audioBook ?? gift.eBook
        return (
          book && (
            <WaitingGift key={gift.id} title={book.title} to="/get-book" gift={gift.id}>
              <GiftNote
                title={book.title}
                picture={<Cover picture={coverOf(book)} alt={book.coverAlt} sizes="160px" />}
                giver={gift.giverName}
                message={gift.giftMessage}
              />
            </WaitingGift>
          )
        )
      })}
    </Waiting>
  )
}

/** The gifts that this account can open now. */
export function useWaiting() {
  const books = useWaitingBooks().data?.['hydra:member'] ?? []
  const memberships = useWaitingMemberships().filter(({ state }) => state === 'unclaimed')
  return { books, memberships }
}

const waitingWords = (count: number) =>
  count === 1 ? 'A gift is waiting for you' : 'Gifts are waiting for you'

/** This account's memberships that are unclaimed, or start when another one ends. */
export function WaitingMemberships() {
  const memberships = useWaitingMemberships()
  if (memberships.length === 0) return null
  return (
    <Waiting title={waitingWords(memberships.length)}>
      {memberships.map((gift) => (
        <WaitingMembership key={gift.id} gift={gift} />
      ))}
    </Waiting>
  )
}

function useWaitingBooks() {
  const owner = useOwner()
  return useQuery({ ...waitingGiftsQuery(owner), enabled: owner !== '' })
}

export function useGiftsLoaded(): boolean {
  const books = useWaitingBooks().isLoading
  return !useWaitingQuery().isLoading && !books
}

export const useWaitingMemberships = (): readonly MembershipGift[] =>
  useWaitingQuery().data?.['hydra:member'] ?? []

export function useWaitingQuery() {
  const owner = useOwner()
  return useQuery({ ...waitingMembershipsQuery(owner), enabled: owner !== '' })
}

const Waiting = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.gifts} aria-labelledby="waiting-gifts">
    <Display as="h2" size="md" id="waiting-gifts">
      {title}
    </Display>
    {children}
  </section>
)

/** Claims a gift with the code in its email, where the link would open in another browser. */
export function GiftCode() {
  const claimed = useClaimed()
  return (
    <div className={styles.code}>
      <GiftCodeForm onClaimed={claimed} />
    </div>
  )
}

function WaitingMembership({ gift }: { gift: MembershipGift }) {
  const title = giftTitle(gift.plan).join(' ')
  const note = <GiftNote title={title} giver={gift.giverName} message={gift.giftMessage} />
  if (gift.state === 'waiting')
    return (
      <div className={styles.gift}>
        {note}
        <p>{beginsWords(gift.startsAt)}</p>
      </div>
    )
  return (
    <WaitingGift title={title} to="/get-subscription" gift={gift.id}>
      {note}
    </WaitingGift>
  )
}

interface WaitingGiftProps {
  title: string
  to: '/get-book' | '/get-subscription'
  gift: string
  children: ReactNode
}

/** Leads to the same page as the link in the email: the gift, its giver, and the button that claims it. */
const WaitingGift = ({ title, to, gift, children }: WaitingGiftProps) => (
  <div className={styles.gift}>
    {children}
    <LinkButton to={to} search={{ gift }} look="beak" aria-label={`Unwrap ${title}`}>
      Unwrap
    </LinkButton>
  </div>
)

interface GiftCodeFormProps {
  onClaimed: (claimed: Found) => Promise<string>
}

/**
 * For an installed app, because links in emails open in the browser instead (trap 23): the user types the
 * code shown next to the link. Case and spaces don't matter.
 */
function GiftCodeForm({ onClaimed }: GiftCodeFormProps) {
  const [open, setOpen] = useState(false)
  const [code, setCode] = useState('')
  const id = useId()
  const claim = async (typed: string) => {
    const found = await seeGift(typed)
    if (!found) throw new Refused('We don’t know this code. Please check for typos and try again.')
    return onClaimed(await claimGift(found, typed))
  }
  const { write, busy, refusal, reset } = useWrite(claim, {
    onSuccess(claimed) {
      announce(claimed)
      setCode('')
      setOpen(false)
    },
    message: serverMessage,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') void write(code.trim())
  }
  return (
    <div className={giftStyles.code}>
      <Button look="text" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Use a gift code
      </Button>
      <form id={id} hidden={!open} className={giftStyles.form} onSubmit={submit} noValidate>
        <Field
          label="Gift code"
          hint="You’ll find it in the gift email."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={128}
          value={code}
          error={refusal || undefined}
          onChange={(event) => {
            setCode(event.target.value)
            if (!busy) reset()
          }}
        />
        <Button type="submit" look="quiet" busy={busy} disabled={code.trim() === ''}>
          Claim
        </Button>
      </form>
    </div>
  )
}
