import type { ReactNode } from 'react'
import type { Gift } from '#contract/gifts.ts'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { freeAudiobooks, plans } from '#features/shop-details/plans.ts'
import { authorsOf, coverOf, lengthOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import type { seeGift } from '#features/gifts/claim.ts'
import { GIFT_COLOURS } from '#features/gifts/GiftCard.tsx'
import { giftTitle } from '#features/gifts/occasions.ts'
import { OpenedGift } from '#features/gifts/OpenedGift.tsx'
import { has } from '#features/shop-details/shop.ts'
import { Cover } from '#ui/Cover.tsx'
import { Flock } from '#ui/Flock.tsx'
import styles from './gifts.module.css'

interface GiftShownProps {
  found: NonNullable<Awaited<ReturnType<typeof seeGift>>>
  ways: (claimed: boolean) => ReactNode
  /** Why it couldn't be claimed. */
  problem?: string
  /** The recipient has a membership of their own; the gift starts when that one ends. */
  waits?: boolean
}

type Shown<G> = Omit<GiftShownProps, 'found'> & { gift: G }

/** A gift, opened: a book in its own colours, a membership in the house's. */
export const GiftShown = ({ found, ...rest }: GiftShownProps) =>
  found.kind === 'subscriptions' ? (
    <Membership gift={found.gift} {...rest} />
  ) : (
    <Book gift={found.gift} {...rest} />
  )

function Membership({ gift, ways, problem = '', waits = false }: Shown<MembershipGift>) {
  const { plan, giverName, giftRecipientFirstName, giftMessage, giftEmail } = gift
  const [length, name] = giftTitle(plan)
  const claimed = gift.state !== 'unclaimed'
  const { creditsPerMonth } = plans()[plan]
  return (
    <OpenedGift
      theme={GIFT_COLOURS.gift}
      picture={
        <div className={styles.sky}>
          <Flock className={styles.flock} />
        </div>
      }
      recipient={giftRecipientFirstName}
      giver={giverName}
      title={
        <>
          {length} <i>{name}</i>
        </>
      }
      note={giftMessage}
      facts={[
        creditsPerMonth === 0
          ? `Member prices on every title${has('journal') ? ', and every recording in the journal' : ''}`
          : `${freeAudiobooks(creditsPerMonth)} every month, chosen by you and yours for good`,
        claimed
          ? 'This gift has already been claimed'
          : waits
            ? 'Starts when your own membership ends. No card, nothing to pay'
            : 'Starts the day you claim it and ends automatically. No card, nothing to pay',
      ]}
      ways={ways(claimed)}
      problem={problem}
      small={<Small email={giftEmail} giver={giverName} />}
    />
  )
}

function Book({ gift, ways, problem = '' }: Shown<Gift>) {
  const { giverName, giftMessage, giftEmail, claimedAt } = gift
  const book = gift.audioBook ?? gift.eBook
  if (!book) return null
  const narrators = narratorsOf(book)
  return (
    <OpenedGift
      theme={themeOf(book)}
      picture={
        <div className={styles.cover}>
          <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 900px) 460px, 58vw" hero />
        </div>
      }
      giver={giverName}
      title={<i>{book.title}</i>}
      note={giftMessage}
      facts={[
        `${[authorsOf(book), narrators && `read by ${narrators}`].filter(Boolean).join(', ')}. ${lengthOf(book).replaceAll(' ', '\u00a0')}`,
        claimedAt ? 'This gift has already been claimed' : 'Yours to keep. No card, nothing to pay',
      ]}
      ways={ways(claimedAt !== null)}
      problem={problem}
      small={<Small email={giftEmail} giver={giverName} />}
    />
  )
}

const Small = ({ email, giver }: { email: string; giver: string }) => (
  <p>
    For {email}. Not your address? Ask {giver || 'whoever gave it'} to correct it.
  </p>
)
