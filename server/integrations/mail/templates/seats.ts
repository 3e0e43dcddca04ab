import type { EmailContent, EmailTemplate } from '../template.ts'

export interface Seat {
  token: string
  eventId: number
  slug: string
  title: string
  startsAt: string
  endsAt: string | null
  /** "Sunday 29 November 2026, 17:00 to 18:30" */
  when: string
  place: string | null
}

const facts = ({ when, place }: Seat) => ({
  rows: [['When', when] as const, ...(place ? [['Where', place] as const] : [])],
})

export const seatConfirm: EmailTemplate<Seat> = (seat): EmailContent => ({
  subject: `Shall we keep you a seat? ${seat.title}`,
  heading: 'One click, and the seat is yours',
  parts: [
    { text: `Somebody, we hope you, would like a seat at ${seat.title}.` },
    facts(seat),
    { button: 'Yes, keep me a seat', to: `/discussions/${seat.slug}?seat=${seat.token}` },
    {
      small:
        'We keep it when you press the button, and not before: seats go in that order. If it wasn’t you, ignore this email and nothing happens.',
    },
  ],
})

export const seatKept: EmailTemplate<Seat> = (seat): EmailContent => ({
  subject: `Your seat: ${seat.title}`,
  heading: 'We’ve kept you a seat',
  parts: [
    {
      text: `${seat.title}. Your name is on the list at the door, so this email is all the ticket you need.`,
    },
    facts(seat),
    { button: 'See the event', to: `/discussions/${seat.slug}` },
    { small: 'The date for your calendar is attached.' },
    { button: 'I can’t come', to: `/discussions/${seat.slug}?giveBack=${seat.token}` },
  ],
  calendar: {
    id: `event-${seat.eventId}`,
    title: seat.title,
    startsAt: seat.startsAt,
    endsAt: seat.endsAt,
    place: seat.place,
    path: `/discussions/${seat.slug}`,
  },
})
