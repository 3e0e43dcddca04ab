import { MapPinIcon } from '@phosphor-icons/react/dist/csr/MapPin'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useHydrated, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { eventTime } from '#contract/calculations/event-time.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import { SEAT_MESSAGES } from '#contract/messages-seats.ts'
import type { Seats } from '#contract/seats.ts'
import {
  confirmSeat,
  giveSeatBack,
  giveSeatBackByLink,
  keepSeat,
  ownSeatsQuery,
  seatsQuery,
} from '#features/seats/queries.ts'
import { textIn } from '#format/address.ts'
import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { announce } from '#ui/announce.ts'
import { AnchorButton, Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { refusalMessage, useWrite } from '#writes/use-write.ts'
import styles from './editorial.module.css'
import { MembersBlock, Unknown, addressOf, type Own } from './EditorialParts.tsx'

export interface SeatLinks {
  readonly seat?: string
  readonly giveBack?: string
}

interface TicketProps {
  item: EditorialItem
  startsAt: string
  theme: TitleTheme
  over: boolean
  own: Own
  links: SeatLinks
}

/** Paper in the band's text colour, with the band's colour as ink: everything on it takes the title's tones. */
const inverted = (theme: TitleTheme) => ({
  '--title-bg': theme['--title-text'],
  '--title-container': theme['--title-text'],
  '--title-text': theme['--title-bg'],
  '--title-muted': theme['--title-bg'],
  '--notch': theme['--title-bg'],
})

/** Day, hours and place, and on the part that tears off what it costs and the way to a seat. */
export function Ticket({ item, startsAt, theme, over, own, links }: TicketProps) {
  const { day, month, weekday, year, hours } = eventTime(startsAt, item.endsAt)
  const when = hours ? `${weekday}, ${hours}` : weekday
  return (
    <div className={styles.ticket} style={inverted(theme)} role="group" aria-label="Date and seat">
      <div className={styles.day}>
        <p className={styles.number} aria-hidden="true">
          {day}
        </p>
        <p className={styles.date}>
          <time dateTime={startsAt}>
            <b>
              <VisuallyHidden>{day} </VisuallyHidden>
              {month}
              {!item.publishedAt.startsWith(year) && ` ${year}`}
            </b>
            <span>{when}</span>
          </time>
        </p>
      </div>
      {(item.place ?? item.seats) !== null && (
        <dl className={styles.facts}>
          {item.place && (
            <Fact icon={MapPinIcon} label="Place" note={item.placeNote}>
              {item.place}
            </Fact>
          )}
          {item.seats !== null && !over && (
            <Fact icon={TicketIcon} label="Seats">
              {plural(item.seats, 'seat')}
              <SeatsLeft item={item} owner={own.owner} />
            </Fact>
          )}
        </dl>
      )}
      <div className={styles.stub}>
        {over ? (
          <p className={styles.admission}>It’s over. Here’s how it went.</p>
        ) : !own.isKnown ? (
          <Unknown own={own} />
        ) : item.access !== 'open' ? (
          <MembersBlock
            item={item}
            what="invitation"
            signedIn={own.owner !== ''}
            from={`/${addressOf(item)}`}
            onTitle
          />
        ) : (
          <Admission item={item} owner={own.owner} links={links} />
        )}
      </div>
    </div>
  )
}

interface FactProps {
  icon: Parameters<typeof Icon>[0]['of']
  label: string
  note?: ReactNode
  children: ReactNode
}

const Fact = ({ icon, label, note, children }: FactProps) => (
  <div>
    <dt>
      <Icon of={icon} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </dt>
    <dd>
      {children}
      {note && <span className={styles.factNote}>{note}</span>}
    </dd>
  </div>
)

/** On the same line as the number of seats, so that nothing moves when the answer comes. */
function SeatsLeft({ item, owner }: { item: EditorialItem; owner: string }) {
  const { data } = useQuery(seatsQuery(item.slug, owner))
  // As long as every seat is free, the number of seats says it all.
  if (!data || data.left === item.seats) return null
  return (
    <>
      , <span>{data.left === 0 ? 'none left' : `${data.left} left`}</span>
    </>
  )
}

interface AdmissionProps {
  item: EditorialItem
  owner: string
  links: TicketProps['links']
}

function Admission({ item, owner, links }: AdmissionProps) {
  const calendar = (
    <AnchorButton look="quiet" tone="title" href={`/feeds/events/${item.slug}.ics`} download>
      Add to calendar
    </AnchorButton>
  )
  // Pages are rendered without these, for all.
  const isHydrated = useHydrated()
  const seat = isHydrated ? textIn(links.seat) : undefined
  const back = isHydrated ? textIn(links.giveBack) : undefined
  if (back) return <GivingBack slug={item.slug} token={back} />
  if (seat) return <Confirming slug={item.slug} token={seat} calendar={calendar} />
  if (item.seats !== null) return <OwnSeat item={item} owner={owner} calendar={calendar} />
  return (
    <Stub
      heading={item.admission}
      actions={
        <>
          {item.link && (
            <AnchorButton look="solid" tone="title" href={item.link} rel="noopener external">
              {item.linkTitle ?? 'Open the link'}
            </AnchorButton>
          )}
          {calendar}
        </>
      }
    />
  )
}

interface StubProps {
  heading: ReactNode
  actions: ReactNode
  note?: ReactNode
}

const Stub = ({ heading, actions, note }: StubProps) => (
  <div className={styles.offer}>
    {heading && <p className={styles.admission}>{heading}</p>}
    <div className={styles.acts}>{actions}</div>
    {note && <p className={styles.stubNote}>{note}</p>}
  </div>
)

const GuestForm = lazyPart(() => import('./GuestForm.tsx'), 'GuestForm')

function OwnSeat({ item, owner, calendar }: { item: EditorialItem; owner: string; calendar: ReactNode }) {
  const { slug } = item
  const queryClient = useQueryClient()
  const online = useOnline()
  const query = seatsQuery(slug, owner)
  const { data } = useQuery(query)
  const [asking, setAsking] = useState(false)
  const change = {
    onSuccess: (seats: Seats) => {
      queryClient.setQueryData(query.queryKey, seats)
      queryClient.removeQueries({ queryKey: ownSeatsQuery(owner).queryKey })
      announce(seats.kept ? KEPT : GIVEN_BACK)
    },
    onFailure: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
    message: (problem: unknown) => refusalMessage(problem, (description) => `${description}.`),
  }
  const keep = useWrite(() => keepSeat(slug), change)
  const give = useWrite(() => giveSeatBack(slug), change)
  const needs = online ? undefined : 'Needs a connection'
  const refusal = keep.refusal || give.refusal
  if (data?.kept)
    return (
      <Stub
        heading={KEPT}
        actions={
          <>
            {calendar}
            <Button
              look="text"
              tone="title"
              busy={give.busy}
              disabledReason={needs}
              onClick={() => void give.write()}
            >
              I can’t come
            </Button>
          </>
        }
        note={refusal || 'We’ve emailed you the ticket and a date for your calendar.'}
      />
    )
  if (data?.left === 0)
    return (
      <Stub
        heading={`${SEAT_MESSAGES.full}.`}
        actions={calendar}
        note={refusal || 'Look in again: people give seats back, most of all on the last day.'}
      />
    )
  return (
    <>
      <Stub
        heading={item.admission}
        actions={
          <Button
            look="solid"
            tone="title"
            tall
            busy={keep.busy}
            disabledReason={needs}
            onClick={() => (owner ? void keep.write() : setAsking(true))}
          >
            Keep me a seat
          </Button>
        }
        note={
          refusal ||
          `${owner || item.memberOnly ? '' : 'No account needed. '}We’ll email you the ticket and a date for your calendar.`
        }
      />
      {asking && (
        <Suspense>
          <GuestForm slug={slug} of={item.title} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

const KEPT = 'We’ve kept you a seat.'
const GIVEN_BACK = 'Thank you. Somebody else can have it.'
const LINK_FAILED = 'This link doesn’t work any more. If you’d still like a seat, ask for another.'

/** The link of the email to a guest. A mail scanner that only loads the page changes nothing. */
function Confirming({ slug, token, calendar }: { slug: string; token: string; calendar: ReactNode }) {
  const queryClient = useQueryClient()
  const { data, isError } = useQuery({
    queryKey: ['mailed-link', token],
    queryFn: async () => {
      const seats = await confirmSeat(token)
      await queryClient.invalidateQueries({ queryKey: ['editorial', 'seats', slug] })
      announce(seats.kept ? KEPT : `${SEAT_MESSAGES.full}.`)
      return seats
    },
    networkMode: 'always',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  if (isError) return <Stub heading={LINK_FAILED} actions={<ToEvent slug={slug}>See the seats</ToEvent>} />
  if (!data) return <Stub heading="One moment." actions={calendar} />
  if (!data.kept)
    return (
      <Stub
        heading={`${SEAT_MESSAGES.full}.`}
        actions={calendar}
        note="They went while the email was on its way. People give seats back, so press the link again later: it stays yours."
      />
    )
  return (
    <Stub
      heading={KEPT}
      actions={calendar}
      note="The ticket is in your email, with a way to give the seat back if you can’t come."
    />
  )
}

/** Leaves the token behind. */
function ToEvent({ slug, children }: { slug: string; children: string }) {
  const navigate = useNavigate()
  return (
    <Button
      look="quiet"
      tone="title"
      onClick={() => void navigate({ to: '/discussions/$slug', params: { slug }, replace: true })}
    >
      {children}
    </Button>
  )
}

function GivingBack({ slug, token }: { slug: string; token: string }) {
  const queryClient = useQueryClient()
  const [isGiven, setGiven] = useState(false)
  const { write, busy, refusal } = useWrite(() => giveSeatBackByLink(token), {
    onSuccess: async () => {
      setGiven(true)
      announce(GIVEN_BACK)
      await queryClient.invalidateQueries({ queryKey: ['editorial', 'seats', slug] })
    },
  })
  if (isGiven) return <Stub heading={GIVEN_BACK} actions={<ToEvent slug={slug}>See the seats</ToEvent>} />
  return (
    <Stub
      heading="Can’t come after all?"
      actions={
        <>
          <Button look="solid" tone="title" busy={busy} onClick={() => void write()}>
            Give my seat back
          </Button>
          <ToEvent slug={slug}>Keep it</ToEvent>
        </>
      }
      note={refusal}
    />
  )
}
