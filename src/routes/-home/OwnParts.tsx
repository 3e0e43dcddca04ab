import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  ChoiceList,
  ChoiceWords,
  choiceHeading,
  type FreeChoice,
  useFreeChoice,
} from '#features/bag/FreeChoice.tsx'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { giftTitle } from '#features/gifts/occasions.ts'
import type { StartedTitle } from '#features/library/started.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { shortLength } from '#format/duration.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useIsLate } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { useGiftsLoaded, useWaiting } from '../-gifts/WaitingGifts.tsx'
import styles from './own-home.module.css'

/** Three are enough here; the rest is one press away. */
const CHOICES = 3

interface OwnPartsProps {
  titles: readonly StartedTitle[]
  /** The shop's panels, given the slugs of the titles above them: those started, and those to choose from. */
  children: (shownAbove: readonly string[]) => ReactNode
}

/** Below the title in progress: this month's choice, gifts, what plays offline, then the shop. */
export function OwnParts({ titles, children }: OwnPartsProps) {
  const parts = useParts()
  if (!parts) return <div className={styles.coming} aria-busy="true" />
  const { choice, gifts } = parts
  return (
    <>
      {choice && <ChoiceOfTheMonth choice={choice} />}
      <GiftAndReady withGifts={gifts} />
      {children(
        [...titles.map(({ book }) => book), ...(choice?.books.slice(0, CHOICES) ?? [])].map(
          ({ slug }) => slug,
        ),
      )}
    </>
  )
}

interface Parts {
  readonly choice: FreeChoice | null
  readonly gifts: boolean
}

/** The parts below wait this long for one another: one that arrives later would push the others down. */
const TOGETHER_WITHIN_MS = 1_500

/** Undefined until all parts are known, or it has become late. Doesn't change after that. */
function useParts(): Parts | undefined {
  const isUser = useSession(({ status, user }) => status === 'user' && user !== null)
  const isComing = useSession(({ status, user }) => status === 'user' && user === null)
  const online = useOnline()
  const choice = useFreeChoice()
  const giftsLoaded = useGiftsLoaded()
  const areStoredKnown = useDownloadsStore(({ ready }) => ready)
  const isLate = useIsLate(TOGETHER_WITHIN_MS)
  const [parts, setParts] = useState<Parts>()
  const isKnown = !online || (isUser ? choice !== undefined && giftsLoaded : !isComing)
  if (!parts && ((isKnown && areStoredKnown) || isLate))
    setParts({ choice: choice ?? null, gifts: isUser && giftsLoaded })
  return parts
}

export function ChoiceOfTheMonth({ choice }: { choice: FreeChoice }) {
  const [chosen, setChosen] = useState(0)
  const left = choice.left - chosen
  return (
    <Wrap as="section" className={styles.choice} aria-labelledby="free-audiobook">
      <div className={styles.head}>
        <Display as="h2" size="md" id="free-audiobook">
          {left > 0 ? choiceHeading(left) : 'It’s in your library'}
        </Display>
        <p>{left > 0 ? <ChoiceWords left={left} until={choice.until} /> : 'Yours for good.'}</p>
      </div>
      <ChoiceList
        label="Free this month"
        books={choice.books.slice(0, CHOICES)}
        layout="beside"
        canChoose
        onChosen={() => setChosen((before) => before + 1)}
      />
      <LinkButton
        to="/subscriber-selection"
        search={{ page: 1, itemsPerPage: 12 }}
        look="text"
        className={styles.all}
      >
        See all {choice.total}
      </LinkButton>
    </Wrap>
  )
}

function GiftAndReady({ withGifts }: { withGifts: boolean }) {
  const gift = useGiftPart()
  const ready = useReadyPart()
  if (!(withGifts && gift) && !ready) return null
  return (
    <Wrap className={styles.two}>
      {withGifts && gift}
      {ready}
    </Wrap>
  )
}

function useGiftPart(): ReactNode {
  const { books, memberships } = useWaiting()
  const count = books.length + memberships.length
  const [book] = books
  const [membership] = memberships
  const gift = book ?? membership
  if (!gift) return null
  const what = book ? 'a book' : giftTitle(membership!.plan).join(' ')
  return (
    <section className={styles.gift} aria-labelledby="gift-waiting">
      <Parcel />
      <div>
        <Display as="h2" size="sm" id="gift-waiting">
          {count === 1
            ? `${gift.giverName || 'Somebody'} has sent you ${what}`
            : `${count} gifts are waiting for you`}
        </Display>
        <p>{gift.giftMessage ? 'It came with a note.' : 'It’s yours to open.'}</p>
        {count > 1 ? (
          <LinkButton to="/gifts" look="beak">
            Open your gifts
          </LinkButton>
        ) : (
          <LinkButton to={book ? '/get-book' : '/get-subscription'} search={{ gift: gift.id }} look="beak">
            Open your gift
          </LinkButton>
        )}
      </div>
    </section>
  )
}

const Parcel = () => (
  <svg viewBox="0 0 132 132" width="132" height="132" aria-hidden="true" focusable="false">
    <path fill="#c9c2e0" d="M8 34h116v90H8z" />
    <path fill="#bbb3d6" d="M8 34h116v20H8z" />
    <path fill="#5b4a9c" d="M56 34h20v90H56z" />
    <path
      fill="#f0dfa0"
      d="M66 34c-8-22-36-30-40-15-3 12 18 17 40 15zM66 34c8-22 36-30 40-15 3 12-18 17-40 15z"
    />
    <path fill="#5b4a9c" d="M57 26h18v14H57z" />
  </svg>
)

const READY = 3

/** Unfinished titles that are stored here whole. */
function useReadyPart(): ReactNode {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const entries = useOwnEntries(owner, useOnline())
  const downloads = useDownloadsStore(({ byTitle }) => byTitle)
  const ready = [...entries.values()]
    .filter(({ key, finished }) => !finished && downloads.get(key)?.state === 'done')
    .sort((one, other) => (other.heardAtMs ?? 0) - (one.heardAtMs ?? 0) || other.addedAtMs - one.addedAtMs)
  if (ready.length === 0) return null
  const seconds = ready.reduce((sum, { secondsLeft }) => sum + (secondsLeft ?? 0), 0)
  return (
    <section className={styles.ready} aria-labelledby="ready-offline">
      <Display as="h2" size="sm" id="ready-offline">
        Ready offline
      </Display>
      <p>{seconds >= 60 ? `${shortLength(seconds)} on this device.` : 'On this device.'}</p>
      <ul role="list">
        {ready.slice(0, READY).map(({ key, to, title, words, picture }) => (
          <li key={key}>
            <Link to={to} className={styles.row}>
              <Cover picture={picture} alt="" sizes="48px" thumb className={styles.thumb} />
              <span>
                <span className={styles.name}>{title}</span>
                <span className="quiet">{words}</span>
              </span>
              <span className={styles.ok}>
                <Icon of={CheckIcon} size={20} />
                Ready
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <LinkButton to="/downloads" look="text">
        Manage downloads
      </LinkButton>
    </section>
  )
}
