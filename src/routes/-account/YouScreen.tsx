import { BookmarkSimpleIcon } from '@phosphor-icons/react/dist/csr/BookmarkSimple'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { DeviceMobileIcon } from '@phosphor-icons/react/dist/csr/DeviceMobile'
import { DownloadSimpleIcon } from '@phosphor-icons/react/dist/csr/DownloadSimple'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { QuestionIcon } from '@phosphor-icons/react/dist/csr/Question'
import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { askToLogOut } from '#app/menus/account-entries.tsx'
import { menuGroups } from '#app/menus/links.ts'
import { LinkList } from '#app/menus/NavLink.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { eventInWords } from '#contract/calculations/event-time.ts'
import type { SubscriptionDetails } from '#contract/membership.ts'
import { planInWords } from '#contract/plans.ts'
import { devicesQuery } from '#features/account/devices.ts'
import {
  ChoiceList,
  ChoiceWords,
  choiceHeading,
  type FreeChoice,
  useFreeChoice,
} from '#features/bag/FreeChoice.tsx'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { allGivenQuery } from '#features/gifts/given-gifts.ts'
import { menuQuery } from '#features/home/queries.ts'
import { useStored } from '#features/library/use-places.ts'
import { membershipInWords, nextSumInWords, stateOf } from '#features/membership/model.ts'
import { ownMembershipQuery } from '#features/membership/queries.ts'
import { ordersQuery } from '#features/orders/queries.ts'
import { ownSeatsQuery } from '#features/seats/queries.ts'
import { plans } from '#features/shop-details/plans.ts'
import { has, isOpen, leadsSomewhere, shop } from '#features/shop-details/shop.ts'
import { longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import type { CallReply } from '#net/call.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import type { PlacesDb } from '#storage/places-db.ts'
import { Band } from '#ui/Band.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { Icon } from '#ui/Icon.tsx'
import { HOUSE } from '#ui/title-theme.ts'
import { useIsLate } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { useWaiting } from '../-gifts/WaitingGifts.tsx'
import styles from './account.module.css'

/** Everything about the user; opens from the device. */
export function YouScreen() {
  const ready = useSession((state) => state.ready)
  const owner = useSession((state) => state.owner)
  if (!ready) return <div aria-busy="true" />
  return (
    <>
      <PageHead title="You" hidden />
      {owner ? <Yours key={owner.uuid} owner={owner.uuid} firstName={owner.firstName} /> : <Visitor />}
    </>
  )
}

function Visitor() {
  return (
    <>
      <Wrap className={styles.youVisitor}>
        <Flock className={styles.youFlock} />
        <Display as="h1" size="lg">
          Who’s listening?
        </Display>
        <p className={styles.youLead}>
          Log in and your library, your gifts and your place in every book are here. A new account takes a
          minute.
        </p>
        <div className={styles.youActions}>
          <LinkButton to="/login" search={{ from: '/you' }} look="beak">
            Log in
          </LinkButton>
          <LinkButton to="/sign-up" look="quiet">
            Create an account
          </LinkButton>
        </div>
        <ul role="list" className={styles.youRows}>
          {isOpen('/subscription') && (
            <Row
              to="/subscription/{-$token}"
              icon={GiftIcon}
              title="Membership"
              note="Plans, and what’s in them"
            />
          )}
          <CodeRow />
        </ul>
      </Wrap>
      <ShopLinks />
    </>
  )
}

/** The rows wait this long for the band above them, which would push them down. */
const TOGETHER_WITHIN_MS = 1_000

function Yours({ owner, firstName }: { owner: string; firstName: string }) {
  const ended = useSession((state) => state.status === 'ended')
  const online = useOnline()
  const found = useFreeChoice()
  const seats = useQuery({ ...ownSeatsQuery(owner), enabled: has('journal') && !ended })
  const kept = seats.data?.['hydra:member'] ?? []
  const isLate = useIsLate(TOGETHER_WITHIN_MS)
  const [placed, setPlaced] = useState<{ choice: FreeChoice | null }>()
  if (!placed && (found !== undefined || ended || !online || isLate)) setPlaced({ choice: found ?? null })
  // It would push down what is already shown.
  const [lateChoice, setLateChoice] = useState<FreeChoice>()
  if (placed?.choice === null && found && !lateChoice) setLateChoice(found)
  return (
    <>
      <Wrap className={styles.youTop}>
        <Display as="h1" size="lg" className={styles.youName}>
          Hello, {firstName}
        </Display>
        {ended ? <LogInAgain /> : <Plan owner={owner} />}
      </Wrap>
      {placed?.choice && <Choice choice={placed.choice} />}
      <Wrap className={styles.youPage} hidden={!placed}>
        <ul role="list" className={styles.youRows}>
          {!ended && <GiftsRow owner={owner} />}
          {!ended && <OrdersRow owner={owner} />}
          <CodeRow />
          {!ended && <DevicesRow owner={owner} />}
          <DownloadsRow />
          <NotesRow owner={owner} />
          {!ended && (
            <Row
              to="/settings"
              icon={SlidersHorizontalIcon}
              title="Settings"
              note="Name, addresses, emails from us"
            />
          )}
          {leadsSomewhere('/info/support') && (
            <Row
              to="/info/$slug"
              params={{ slug: 'support' }}
              icon={QuestionIcon}
              title="Help"
              note="Questions, and how to reach us"
            />
          )}
        </ul>
        <div className={styles.youLogOut}>
          <Button look="text" onClick={() => void askToLogOut()}>
            Log out
          </Button>
        </div>
        {!ended && kept.length > 0 && <Seats kept={kept} />}
      </Wrap>
      {placed && <ShopLinks />}
      {lateChoice && <Choice choice={lateChoice} />}
    </>
  )
}

const LogInAgain = () => (
  <div className={styles.youPlan} role="status">
    <p>Please log in again to see everything. Your downloads still play.</p>
    <LinkButton to="/login" search={{ from: '/you' }} look="text">
      Log in
    </LinkButton>
  </div>
)

/** The plan, with the next sum and its date as soon as the server has said it. */
function Plan({ owner }: { owner: string }) {
  const user = useSession((state) => state.user)
  const online = useOnline()
  const { data } = useQuery(ownMembershipQuery(owner))
  const details = data?.details
  const plan = Object.values(plans()).find(({ id }) => id === user?.currentSubscription?.plan)
  const isMember = details !== undefined || plan !== undefined
  if (!isMember && !data && !user)
    return <p className={styles.youPlan}>{online ? '\u00A0' : 'You’re offline.'}</p>
  if (!isMember && !isOpen('/subscription'))
    return <p className={styles.youPlan}>Your account for {shop().name}</p>
  const sum = details && nextSumInWords(details)
  return (
    <div className={styles.youPlan}>
      <div>
        <p>{planWords(details) ?? (plan ? planInWords(plan) : 'A free account')}</p>
        <p className={styles.youSum} data-due={details?.failedPayment != null}>
          {sum || (isMember ? '\u00A0' : 'Members pay less, and choose free audiobooks.')}
        </p>
      </div>
      {isMember ? (
        <LinkButton to="/subscription-details" look="text">
          Membership
        </LinkButton>
      ) : (
        <LinkButton to="/subscription/{-$token}" look="text">
          See the plans
        </LinkButton>
      )}
    </div>
  )
}

const planWords = (details: SubscriptionDetails | undefined): string | undefined =>
  details &&
  (stateOf(details) === 'active' && !details.disputedSince
    ? planInWords(plans()[details.subscription.plan])
    : membershipInWords(details))

function Choice({ choice }: { choice: FreeChoice }) {
  const { left, total, books } = choice
  return (
    <Band theme={HOUSE} aria-labelledby="free-audiobook" className={styles.youBand}>
      <Wrap className={styles.youChoice}>
        <div className={styles.youChoiceWords}>
          <Display as="h2" size="md" id="free-audiobook">
            {choiceHeading(left)}
          </Display>
          <p>
            <ChoiceWords {...choice} />
          </p>
          <LinkButton
            to="/subscriber-selection"
            search={{ page: 1, itemsPerPage: 12 }}
            tone="title"
            className={styles.youChoose}
          >
            See all {total} and choose
          </LinkButton>
        </div>
        <ChoiceList label="Free this month" books={books} layout="row" tone="title" />
      </Wrap>
    </Band>
  )
}

interface RowProps extends Omit<ComponentProps<'a'>, 'title'> {
  icon: ComponentProps<typeof Icon>['of']
  title: string
  note: string
  aside?: ReactNode
}

const Row = createLink(({ icon, title, note, aside, ...link }: RowProps) => (
  <li>
    <a {...link} className={styles.youRow}>
      <Icon of={icon} />
      <span>
        <b>{title}</b>
        <span className={styles.youNote}>{note}</span>
      </span>
      {aside && <span className={styles.youAside}>{aside}</span>}
      <Icon of={CaretRightIcon} size={20} />
    </a>
  </li>
))

function GiftsRow({ owner }: { owner: string }) {
  const { books, memberships } = useWaiting()
  const waiting = books.length + memberships.length
  const { data } = useQuery(allGivenQuery(owner))
  const given = data?.length ?? 0
  const closed = data?.filter(({ state }) => ['scheduled', 'sending', 'delivered', 'failed'].includes(state))
  return (
    <Row
      to="/gifts"
      search={{}}
      icon={GiftIcon}
      title="Gifts"
      note={
        given === 0
          ? 'Given and received'
          : `${given} given, ${closed?.length ? `${closed.length} not opened yet` : 'all opened'}`
      }
      aside={waiting > 0 && `${waiting} waiting for you`}
    />
  )
}

function OrdersRow({ owner }: { owner: string }) {
  const { data } = useQuery(ordersQuery(owner, 1))
  const last = data?.['hydra:member'][0]
  return (
    <Row
      to="/orders"
      icon={ReceiptIcon}
      title="Orders and receipts"
      note={
        last
          ? `The last on ${longDate(last.createdAt)}, ${amount(toMinor(last.amount))}`
          : 'Everything you’ve bought'
      }
    />
  )
}

const CodeRow = () =>
  isOpen('/redemption') && (
    <Row
      to="/redemption/{-$spisin}/{-$step}"
      icon={TicketIcon}
      title="Enter a code"
      note="From a card or a gift"
    />
  )

function DevicesRow({ owner }: { owner: string }) {
  const { data } = useQuery(devicesQuery(owner))
  const others = (data?.length ?? 1) - 1
  return (
    <Row
      to="/settings"
      hash="devices"
      icon={DeviceMobileIcon}
      title="Where you’re logged in"
      note={
        data && others === 0
          ? 'Only on this device'
          : others > 0
            ? `This device and ${others} more`
            : 'Phones and computers'
      }
    />
  )
}

function DownloadsRow() {
  const kept = useDownloadsStore(
    ({ byTitle }) => [...byTitle.values()].filter(({ state }) => state === 'done').length,
  )
  return (
    <Row
      to="/downloads"
      icon={DownloadSimpleIcon}
      title="Downloads"
      note={kept === 0 ? 'What plays without a connection' : `${plural(kept, 'title')} on this device`}
    />
  )
}

const countNotes = async (db: PlacesDb) => (await db.bookmarks.count()) + (await db.highlights.count())

function NotesRow({ owner }: { owner: string }) {
  const count = useStored(owner, 'note-count', countNotes)
  return (
    <Row
      to="/library/notes"
      icon={BookmarkSimpleIcon}
      title="Bookmarks and notes"
      note={count ? `${count} in your books` : 'What you’ve marked in your books'}
    />
  )
}

/** The event's page has the ticket, and gives the seat back. */
const Seats = ({ kept }: { kept: CallReply<'GET /api/seats'>['hydra:member'] }) => (
  <section aria-labelledby="seats" className={styles.youSeats}>
    <Display as="h2" size="sm" id="seats">
      Seats at events
    </Display>
    <ul role="list" className={styles.youRows}>
      {kept.map(({ slug, title, startsAt, endsAt, place }) => (
        <Row
          key={slug}
          to="/discussions/$slug"
          params={{ slug }}
          icon={TicketIcon}
          title={title}
          note={[eventInWords(startsAt, null, endsAt), place].filter(Boolean).join('. ')}
        />
      ))}
    </ul>
  </section>
)

/** On phones the header has no menu. */
function ShopLinks() {
  const hasAccount = useSession(({ status }) => status !== 'visitor')
  const { data } = useQuery(menuQuery())
  const last = menuGroups(data ?? []).at(-1)
  if (!last) return null
  const links = last.links.filter(({ to }) => !hasAccount || to !== '/sign-up')
  return (
    <Wrap as="nav" className={styles.youShop} aria-label={`About ${shop().name}`}>
      <LinkList links={links} className={styles.youShopLinks} linkClassName="text-link" />
    </Wrap>
  )
}
