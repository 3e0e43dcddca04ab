import { eventInWords, isOver } from '#contract/calculations/event-time.ts'
import { SEAT_MESSAGES } from '#contract/messages-seats.ts'
import type { Transaction } from '../../db/open.ts'
import type { DataOf } from '../../integrations/mail/kinds.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { forbidden, notFound, refused } from '../../http/http-errors.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import type { Shop } from '../../shop.ts'
import { accessOf } from '../editorial/serializers.ts'
import { entitlementOf } from '../membership/service.ts'
import {
  adoptSeat,
  confirmSeatOf,
  deleteSeat,
  type EventRow,
  insertGuest,
  insertSeat,
  lockEvent,
  selectAddress,
  selectByToken,
  selectEvent,
  selectSeatOfUser,
} from './queries.ts'

/** Far more than one person keeps. */
export const GUESTS: Limit = { name: 'seats from', most: 20, windowSeconds: 3600 }
export const SEAT_LINKS: Limit = { name: 'seat links from', most: 60, windowSeconds: 3600 }
/** Each seat that is kept sends an email. */
const SEATS_OF: Limit = { name: 'seats of', most: 20, windowSeconds: 3600 }

type Seats = { readonly left: number; readonly kept: boolean }
type Needs = Pick<Shop, 'db' | 'now' | 'clock'>

const leftOf = ({ seats, taken }: EventRow): number => Math.max(0, seats - taken)

/** @throws 404 for an event without seats */
export async function seatsOf({ db }: Pick<Shop, 'db'>, slug: string, userId: string | null): Promise<Seats> {
  const event = await selectEvent(db, slug)
  if (!event) throw notFound()
  const seat = userId === null ? undefined : await selectSeatOfUser(db, event.id, userId)
  return { left: leftOf(event), kept: seat?.confirmed === true }
}

/** @throws 404 for an event without seats, 403 for one that the plan does not include, 422 if it is full or over */
export async function keepSeat(shop: Needs, slug: string, userId: string): Promise<Seats> {
  const { db, now } = shop
  await countOrRefuse(db, SEATS_OF, userId, now())
  return db.transaction(async (tx) => {
    const event = await openEvent(tx, shop, slug)
    if (event.member_only) {
      const { tier } = await entitlementOf(tx, userId, shop.clock.now())
      if (accessOf(event, tier) !== 'open') throw forbidden(SEAT_MESSAGES.forMembers)
    }
    const seat = await selectSeatOfUser(tx, event.id, userId)
    if (seat?.confirmed) return { left: leftOf(event), kept: true }
    refuseIfFull(event)
    if (seat) await adoptSeat(tx, seat.token, userId, now())
    const token = seat?.token ?? (await insertSeat(tx, event.id, userId, now()))
    const to = await selectAddress(tx, userId)
    if (to) {
      const mail = {
        to: to.email,
        kind: 'seat_kept',
        key: `seat_kept:${token}`,
        data: seatMail(event, token),
      } as const
      // An unconfirmed address may belong to another person than the account.
      await (to.confirmed ? queueMail(tx, mail) : queueUnasked(tx, mail, now()))
    }
    return { left: leftOf(event) - 1, kept: true }
  })
}

export async function giveSeatBack({ db }: Pick<Shop, 'db'>, slug: string, userId: string): Promise<Seats> {
  const event = await selectEvent(db, slug)
  if (!event) throw notFound()
  const seat = await selectSeatOfUser(db, event.id, userId)
  if (seat) await deleteSeat(db, seat.token)
  return seatsOf({ db }, slug, userId)
}

/**
 * A stranger may have typed the address, so the seat is kept when the emailed link is used.
 * @throws 404 for an event without seats, 403 for one that is for members, 422 if it is full or over
 */
export async function askForSeat(
  shop: Needs,
  slug: string,
  guest: { readonly email: string; readonly name: string },
): Promise<void> {
  const { db, now } = shop
  await db.transaction(async (tx) => {
    const event = await openEvent(tx, shop, slug)
    if (event.member_only) throw forbidden(SEAT_MESSAGES.forMembers)
    refuseIfFull(event)
    const { token, confirmed } = await insertGuest(tx, event.id, guest, now())
    const kind = confirmed ? 'seat_kept' : 'seat_confirm'
    const key = `${kind}:${token}:${now().toISOString().slice(0, 10)}`
    await queueUnasked(tx, { to: guest.email, kind, key, data: seatMail(event, token) }, now())
  })
}

/** @throws 404 for an unknown link, 422 if the event is over */
export async function confirmSeat(shop: Needs, token: string): Promise<Seats & { slug: string }> {
  const { db, now } = shop
  return db.transaction(async (tx) => {
    const found = await selectByToken(tx, token)
    if (!found) throw notFound()
    const event = await openEvent(tx, shop, found.slug)
    // Read again under the lock.
    const seat = await selectByToken(tx, token)
    if (!seat) throw notFound()
    if (seat.confirmed || leftOf(event) === 0)
      return { slug: event.slug, left: leftOf(event), kept: seat.confirmed }
    await confirmSeatOf(tx, token, now())
    if (seat.email)
      await queueMail(tx, {
        to: seat.email,
        kind: 'seat_kept',
        key: `seat_kept:${token}`,
        data: seatMail(event, token),
      })
    return { slug: event.slug, left: leftOf(event) - 1, kept: true }
  })
}

async function openEvent(tx: Transaction, { now }: Needs, slug: string): Promise<EventRow> {
  const event = await lockEvent(tx, slug)
  if (!event) throw notFound()
  if (isOver({ startsAt: event.starts_at, endsAt: event.ends_at }, now())) throw refused(SEAT_MESSAGES.over)
  return event
}

function refuseIfFull(event: EventRow): void {
  if (leftOf(event) === 0) throw refused(SEAT_MESSAGES.full)
}

const seatMail = (event: EventRow, token: string): DataOf<'seat_kept'> => ({
  token,
  eventId: event.id,
  slug: event.slug,
  title: event.title,
  startsAt: event.starts_at,
  endsAt: event.ends_at,
  // An email is read whenever, so with the year.
  when: eventInWords(event.starts_at, null, event.ends_at),
  place: [event.place, event.place_note].filter(Boolean).join('. ') || null,
})
