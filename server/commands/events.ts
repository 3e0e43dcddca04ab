import { group, type Group, showCommand } from './command-line.ts'
import type { Shown } from './frame.ts'
import { eventInWords } from '#contract/calculations/event-time.ts'
import { minute } from '../settings/days.ts'
import { counted, CSV_MARK, csvLine, table } from '../print/table.ts'
import { refused } from '../http/http-errors.ts'
import type { Shop } from '../shop.ts'
import { type EventRow, selectEvent, selectEvents, selectKeptSeats } from '../features/seats/queries.ts'

export const eventsCommand: Group = ({ show }) =>
  group('events', [
    showCommand('list')
      .description('Lists the events whose seats can be kept, and how many are')
      .action((options) => show(options, list)),
    showCommand('seats')
      .description('Shows who keeps a seat')
      .argument('<event>', 'The last part of its address, which list names')
      .action((event, options) => show(options, (shop) => seats(shop, event))),
    showCommand('export')
      .description('Prints names and addresses as CSV: npm run --silent events -- export EVENT > door.csv')
      .argument('<event>')
      .action((event, options) => show(options, (shop) => exportList(shop, event))),
  ]).description('The number of seats is in the event’s file: `seats: 40`.')

async function list({ db }: Shop): Promise<Shown> {
  const events = await selectEvents(db)
  if (events.length === 0) return { lines: ['No event has seats yet.'], json: [] }
  return {
    lines: table([
      ['Event', 'When', 'Kept', 'Seats'],
      ...events.map(({ slug, starts_at, taken, seats: all }) => [
        slug,
        eventInWords(starts_at),
        String(taken),
        String(all),
      ]),
    ]),
    json: events.map(({ slug, title, starts_at, taken, seats: all }) => ({
      slug,
      title,
      startsAt: starts_at,
      kept: taken,
      seats: all,
    })),
  }
}

/** @throws `Refusal` for an unknown event */
async function eventCalled({ db }: Shop, slug: string): Promise<EventRow> {
  const event = await selectEvent(db, slug)
  if (!event) throw refused(`No event with seats is called ${slug}. See them: npm run events -- list`)
  return event
}

async function seats(shop: Shop, slug: string): Promise<Shown> {
  const event = await eventCalled(shop, slug)
  const kept = await selectKeptSeats(shop.db, event.id)
  const heading = `${event.title}, ${eventInWords(event.starts_at)}: ${kept.length} of ${counted(event.seats, 'seat')}`
  return {
    lines: [
      heading,
      ...(kept.length === 0
        ? []
        : table([
            ['Name', 'Email', 'Kept on'],
            ...kept.map(({ name, email, guest, kept_at }) => [
              guest ? `${name} (guest)` : name,
              email,
              minute(new Date(kept_at), shop.config.shopZone),
            ]),
          ])),
    ],
    json: kept,
  }
}

async function exportList(shop: Shop, slug: string): Promise<Shown> {
  const event = await eventCalled(shop, slug)
  const kept = await selectKeptSeats(shop.db, event.id)
  return {
    lines: [
      CSV_MARK + csvLine(['name', 'email']).trimEnd(),
      ...kept.map(({ name, email }) => csvLine([name, email]).trimEnd()),
    ],
    json: kept,
  }
}
