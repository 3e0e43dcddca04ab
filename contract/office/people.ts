import Type, { type Static, type TSchema } from 'typebox'
import { Email, Instant, nullable, NullableInteger, NullableString, Uuid } from '../atoms.ts'
import { type MemberState, MEMBER_STATES, type PersonProblem } from './member-states.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

export const State = Type.Unsafe<MemberState>({ type: 'string', enum: [...MEMBER_STATES] })
const Minor = Type.Integer()
const ById = Type.Object({ id: Uuid })
export const Because = Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`\S` })
/** The activity entry that takes it back. */
const Entry = Type.Object({ entry: Type.Integer() })

export const ListedPerson = Type.Object({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  country: NullableString,
  since: Instant,
  isConfirmed: Type.Boolean(),
  /** The bookshop whose account it is. */
  bookshop: NullableString,
  /** `Reader, monthly` */
  plan: NullableString,
  memberState: nullable(State),
  titles: Type.Integer(),
  problems: Type.Array(Type.Unsafe<PersonProblem>({ type: 'string' })),
})
export type ListedPerson = Static<typeof ListedPerson>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  member: Type.Optional(
    Type.Unsafe<MemberState | 'none' | 'any'>({ type: 'string', enum: [...MEMBER_STATES, 'none', 'any'] }),
  ),
  kind: Type.Optional(
    Type.Unsafe<'bookshop' | 'unconfirmed' | 'blocked'>({
      type: 'string',
      enum: ['bookshop', 'unconfirmed', 'blocked'],
    }),
  ),
  problem: Type.Optional(Type.Unsafe<'yes'>({ type: 'string', enum: ['yes'] })),
  since: Type.Optional(Type.String({ maxLength: 30 })),
} as const

export const listPeople = officeEndpoint({
  method: 'GET',
  path: '/api/office/people',
  summary: 'Customers and bookshops with an account',
  may: 'people.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(ListedPerson, Type.Object({})),
})
export const exportPeople = officeEndpoint({
  method: 'GET',
  path: '/api/office/people/export',
  summary: 'The people of a list as CSV',
  may: 'people.export',
  fresh: true,
  query: Type.Object({ sort: LIST_QUERY.sort, ...FILTERS }),
})

const Attempt = Type.Object({ at: Instant, what: Type.String() })
export const OwnMembership = Type.Object({
  id: Uuid,
  plan: Type.String(),
  state: State,
  since: Instant,
  /** Paid or given until then. */
  until: Instant,
  next: nullable(Type.Object({ at: Instant, minor: Minor })),
  paysWith: NullableString,
  /** Of a payment that failed: since when, and until when the benefits stay. */
  failing: nullable(Type.Object({ since: Instant, benefitsUntil: Instant, owesMinor: NullableInteger })),
  /** What was tried to pay with, and why it was refused; oldest first. */
  attempts: Type.Array(Attempt),
  isRunning: Type.Boolean(),
  /** Why it can't be cancelled for the end of the paid period, only ended at once. */
  whyNotCancelled: NullableString,
})
export type OwnMembership = Static<typeof OwnMembership>

export const WholePerson = Type.Object({
  id: Uuid,
  name: Type.String(),
  firstName: Type.String(),
  email: Type.String(),
  country: NullableString,
  since: Instant,
  isConfirmed: Type.Boolean(),
  blockedSince: nullable(Instant),
  bookshop: NullableString,
  /** They asked for this address, and haven't confirmed it yet. */
  pendingEmail: NullableString,
  formerEmails: Type.Array(Type.String()),
  problems: Type.Array(Type.Object({ what: Type.String(), order: NullableString })),
  memberships: Type.Array(OwnMembership),
  credits: Type.Integer(),
  creditsUntil: nullable(Instant),
  titles: Type.Array(
    Type.Object({
      format: Type.String(),
      slug: Type.String(),
      title: Type.String(),
      cover: NullableString,
      came: Type.String(),
      order: NullableString,
      at: Instant,
    }),
  ),
  orders: Type.Array(
    Type.Object({
      number: Type.String(),
      at: Instant,
      titles: Type.String(),
      totalMinor: Minor,
      refundedMinor: Minor,
      state: Type.String(),
    }),
  ),
  paidMinor: Minor,
  presents: Type.Array(
    Type.Object({
      at: Instant,
      what: Type.String(),
      /** Whom it was given to, or who gave it. */
      who: Type.String(),
      isGiven: Type.Boolean(),
      state: Type.String(),
    }),
  ),
  emails: Type.Array(
    Type.Object({
      id: Uuid,
      at: Instant,
      subject: Type.String(),
      state: Type.Unsafe<'sent' | 'waiting' | 'failed'>({ type: 'string' }),
    }),
  ),
  devices: Type.Array(Type.Object({ name: Type.String(), lastSeenAt: Instant, viewedBy: NullableString })),
  /** Until then they let us see what they listened to; null if they don't. */
  listeningUntil: nullable(Instant),
  note: nullable(Type.Object({ text: Type.String(), by: Type.String(), at: Instant })),
  /** What the team did about this account, newest first. */
  activity: Type.Array(
    Type.Object({ at: Instant, by: Type.String(), what: Type.String(), because: Type.String() }),
  ),
})
export type WholePerson = Static<typeof WholePerson>

export const getPerson = officeEndpoint({
  method: 'GET',
  path: '/api/office/people/{id}',
  summary: 'One person: what they own and pay, and what they were sent',
  may: 'people.read',
  params: ById,
  reply: WholePerson,
})

export const seeShopAs = officeEndpoint({
  method: 'POST',
  path: '/api/office/people/{id}/view',
  summary: 'See the shop as somebody, read only, for half an hour',
  may: 'people.change',
  fresh: true,
  params: ById,
  reply: Type.Object({
    /** Of a session of theirs that may only read. */
    token: Type.String(),
    endsAt: Instant,
  }),
})

/** Written into the log, which is in the copy of their data. */
export const seeListening = officeEndpoint({
  method: 'GET',
  path: '/api/office/people/{id}/listening',
  summary: 'What somebody listened to, while they allow it',
  may: 'people.read',
  params: ById,
  reply: Type.Object({
    until: Instant,
    titles: Type.Array(
      Type.Object({ title: Type.String(), chapter: Type.Integer(), seconds: Type.Number(), at: Instant }),
    ),
  }),
})

const changesPerson = <const Path extends string, const Body extends TSchema>(
  path: Path,
  summary: string,
  body: Body,
) =>
  officeEndpoint({
    method: 'POST',
    path: `/api/office/people/{id}/${path}`,
    summary,
    may: 'people.change',
    params: ById,
    body,
    reply: Type.Object({ what: Type.String(), entry: Type.Integer() }),
  })

export const confirmAddress = changesPerson(
  'confirmation',
  'Count their address as confirmed',
  Type.Object({}),
)
export const correctAddress = changesPerson(
  'address',
  'Correct a mistyped address; the new one is asked to confirm it',
  Type.Object({ email: Email }),
)
export const logOutPerson = changesPerson('log-out', 'End all their log-ins', Type.Object({}))
export const blockPerson = changesPerson(
  'block',
  'End their log-ins and refuse new ones',
  Type.Object({ because: Because }),
)
export const unblockPerson = changesPerson('unblock', 'Let them log in again', Type.Object({}))
export const giveAudiobooks = changesPerson(
  'audiobooks',
  'Give free audiobooks, which they are told by email',
  Type.Object({
    count: Type.Integer({ minimum: 1, maximum: 12 }),
    /** The last day to choose one, `2027-01-31`; two months from now without it. */
    until: Type.Optional(Type.String({ format: 'date' })),
    because: Type.Optional(Type.String({ maxLength: 500 })),
  }),
)

export const giveTitle = changesPerson(
  'titles',
  'Give a free copy of a title, such as for its author; they are not written to',
  Type.Object({ book: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), because: Because }),
)

export const writeNote = officeEndpoint({
  method: 'PUT',
  path: '/api/office/people/{id}/note',
  summary: 'Write the private note about somebody; an empty one removes it',
  may: 'people.change',
  params: ById,
  body: Type.Object({ text: Type.String({ maxLength: 2_000 }) }),
  reply: Entry,
})

export const givePersonMonths = officeEndpoint({
  method: 'POST',
  path: '/api/office/people/{id}/membership',
  summary: 'Give months of a membership, which begin when the current one ends',
  may: 'members.change',
  params: ById,
  body: Type.Object({
    months: Type.Integer({ minimum: 1, maximum: 24 }),
    tier: Type.Unsafe<'supporter' | 'reader' | 'avid'>({
      type: 'string',
      enum: ['supporter', 'reader', 'avid'],
    }),
    because: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  reply: Type.Object({ what: Type.String(), entry: Type.Integer() }),
})
export const endPersonsMembership = officeEndpoint({
  method: 'POST',
  path: '/api/office/people/{id}/membership/end',
  summary: 'Cancel the membership, or end it at once',
  may: 'members.change',
  params: ById,
  body: Type.Object({ atOnce: Type.Boolean(), because: Because }),
  reply: Type.Object({ what: Type.String(), entry: Type.Integer() }),
})

export const planClosing = officeEndpoint({
  method: 'GET',
  path: '/api/office/people/{id}/closing',
  summary: 'What closing the account would do',
  may: 'people.close',
  params: ById,
  reply: Type.Object({ amountMinor: Minor, lines: Type.Array(Type.String()) }),
})
export const closePerson = officeEndpoint({
  method: 'POST',
  path: '/api/office/people/{id}/close',
  summary: 'Close the account and erase the person',
  may: 'people.close',
  fresh: true,
  params: ById,
  body: Type.Object({
    /** Typed by hand: their name, or their address if they have none. */
    name: Type.String({ maxLength: 200 }),
    /** The refund that was shown: another one is refused with 409. */
    shownMinor: Type.Integer({ minimum: 0 }),
    because: Because,
  }),
  status: 204,
})
export const exportPerson = officeEndpoint({
  method: 'GET',
  path: '/api/office/people/{id}/export',
  summary: 'All that the shop keeps about somebody, to send to them',
  may: 'people.export',
  fresh: true,
  params: ById,
})

const Mail = Type.Object({ id: Uuid, mail: Uuid })
export const readPersonsEmail = officeEndpoint({
  method: 'GET',
  path: '/api/office/people/{id}/emails/{mail}',
  summary: 'An email as they read it, without links and codes that open something',
  may: 'people.read',
  params: Mail,
  reply: Type.Object({
    subject: Type.String(),
    text: Type.String(),
    /** Written from today's data, because what was sent isn't stored any more. */
    isRebuilt: Type.Boolean(),
  }),
})
export const sendPersonsEmail = officeEndpoint({
  method: 'POST',
  path: '/api/office/people/{id}/emails/{mail}/again',
  summary: 'Send an email to them again; a link in it is replaced',
  may: 'emails.send',
  params: Mail,
  reply: Type.Object({ to: Type.String() }),
})
