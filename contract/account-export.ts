import Type from 'typebox'
import { Instant, NullableNumber, NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'

const ById = Type.Object({ id: Uuid })

const Titled = { kind: Type.String(), slug: Type.String(), title: Type.String() }

/** Stored rows; the fields are the columns of the shop's tables. */
const Records = Type.Array(Type.Record(Type.String(), Type.Unknown()))

export const exportUser = endpoint({
  method: 'GET',
  path: '/api/users/{id}/export',
  summary: 'One’s own data',
  access: 'user',
  notInView: true,
  alsoOutlets: true,
  params: ById,
  reply: item('UserExport', {
    exportedAt: Instant,
    profile: Type.Object({
      email: Type.String(),
      firstName: Type.String(),
      lastName: Type.String(),
      address1: NullableString,
      address2: NullableString,
      city: NullableString,
      county: NullableString,
      countryCode: NullableString,
      postCode: NullableString,
      newsletter: Type.Boolean(),
      promotions: Type.Boolean(),
      choiceEmails: Type.Boolean(),
      createdAt: Instant,
      confirmedAt: nullable(Instant),
      pendingEmail: NullableString,
      /** Confirmed addresses that the account used before. */
      formerEmails: Type.Array(Type.String()),
    }),
    library: Type.Array(Type.Object({ ...Titled, addedAt: Instant, source: Type.String() })),
    places: Type.Array(
      Type.Object({
        ...Titled,
        chapter: Type.Integer(),
        seconds: Type.Number(),
        heardAt: Instant,
        speed: NullableNumber,
      }),
    ),
    bookmarks: Type.Array(
      Type.Object({
        ...Titled,
        chapter: Type.Integer(),
        seconds: Type.Number(),
        sentence: Type.String(),
        note: Type.String(),
        madeAt: Instant,
        changedAt: Instant,
        earlierNotes: Type.Array(Type.Object({ note: Type.String(), changedAt: Instant })),
      }),
    ),
    highlights: Type.Array(
      Type.Object({
        ...Titled,
        chapter: Type.String(),
        quote: Type.String(),
        note: Type.String(),
        madeAt: Instant,
        changedAt: Instant,
        earlierNotes: Type.Array(Type.Object({ note: Type.String(), changedAt: Instant })),
      }),
    ),
    readingPlaces: Type.Array(Type.Object({ ...Titled, share: Type.Number(), readAt: Instant })),
    orders: Type.Array(
      Type.Object({
        orderNumber: Type.String(),
        createdAt: Instant,
        status: Type.String(),
        amount: Pounds,
        items: Type.Array(Type.Object({ title: Type.String(), price: Pounds, giftEmail: NullableString })),
      }),
    ),
    memberships: Records,
    freeAudiobooks: Records,
    payments: Records,
    savedCards: Records,
    passkeys: Records,
    refunds: Records,
    paymentTries: Records,
    discountCodes: Records,
    giftsGiven: Records,
    giftsReceived: Records,
    membershipsGiven: Records,
    membershipsReceived: Records,
    cards: Records,
    bookshop: Records,
    bag: Records,
    chapterPlaces: Records,
    earlierPlaces: Records,
    queueAndShelves: Records,
    devices: Records,
    logIns: Records,
    mails: Records,
    /** Series for which the person has requested an email about the next title. */
    seriesNotices: Records,
    /** Seats at events. */
    seats: Records,
    withdrawals: Records,
    /** Starter packs of cards that a bookshop asked for with the account's address. */
    starterPacks: Records,
    /** What the shop's team wrote about this account. */
    noteOfTheShop: Records,
    /** Actions of the shop's staff on this account. */
    doneByTheShop: Records,
  }),
})
