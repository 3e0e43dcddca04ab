import type { DataOf, MailKind } from './kinds.ts'
import { SAMPLES_OF_MEMBERS } from './samples-of-members.ts'

const person = { firstName: 'Una', token: 'a-token', code: '1234-5678' }
const NEXT = { at: '2026-12-03T10:00:00.000Z', amountMinor: 800 }

const SEAT = {
  token: 's-2',
  eventId: 7,
  slug: 'a-walk',
  title: 'A walk round the harbour',
  startsAt: '2026-11-29T17:00:00Z',
  endsAt: '2026-11-29T18:30:00Z',
  when: 'Sunday 29 November 2026, 17:00 to 18:30',
  place: 'The swing bridge, Whitby',
}

const PACK = {
  ...{ shopName: 'Corner House Books', town: 'Whitby', packs: 2 },
  bookshopMail: 'bookshops@murmur.example',
}

const coverOf = (slug: string, title: string) => ({
  picture: `/media/covers/ab/${slug}-330.jpg`,
  ratio: 1.5,
  title,
  to: `/ebooks/${slug}`,
})

type MailSamples = {
  readonly [Kind in MailKind]: { data: DataOf<Kind>; says: readonly string[] }
}

/** The data that each kind of mail needs, and the text that both its HTML and plain forms must contain. */
export const MAIL_SAMPLES: MailSamples = {
  ...SAMPLES_OF_MEMBERS,
  office_invitation: {
    data: { token: 'o-1', by: 'Hana Brodie', until: '2026-11-27T10:00:00.000Z' },
    says: ['Hana Brodie', '/office/welcome#o-1', '27th November 2026'],
  },
  office_recovery_used: { data: { name: 'Hana Brodie' }, says: ['Hana Brodie', 'add a new passkey'] },
  series_confirm: { data: { token: 's-1', slug: 's', series: 'Tides' }, says: ['/series/s?confirm=s-1'] },
  series_next: { data: { series: 'Tides', title: 'Ebb', path: '/e' }, says: ['Ebb', 'belongs to Tides'] },
  seat_confirm: { data: SEAT, says: [SEAT.when, SEAT.place, '/discussions/a-walk?seat=s-2'] },
  seat_kept: { data: SEAT, says: [SEAT.when, SEAT.place, '/discussions/a-walk?giveBack=s-2'] },
  confirm_address: { data: person, says: ['Una', '/confirm/a-token', '1234-5678', '24 hours'] },
  reset_password: {
    data: { ...person, userId: 'u-1' },
    says: ['Una', '/reset-password/u-1?token=a-token', '1234-5678', 'one hour'],
  },
  password_changed: { data: person, says: ['has just been changed', '/forgot-password'] },
  email_change: { data: person, says: ['Una', '/confirm/a-token', '1234-5678', '24 hours'] },
  email_change_asked: { data: person, says: ['Una', '/forgot-password'] },
  email_changed: {
    data: { firstName: 'Una', token: 'a-token' },
    says: ['Una', '/confirm/undo.a-token', '7 days'],
  },
  email_in_use: {
    data: { email: 'una@murmur.example' },
    says: ['una@murmur.example', 'Nothing has changed'],
  },
  account_deleted: {
    data: {
      ...person,
      ended: [{ plan: 'Reader, monthly', gift: false, outcome: 'back' }],
      amountMinor: 600,
    },
    says: ['deleted', 'Reader, monthly', '£6.00', '/info/support'],
  },
  withdrawal_received: {
    data: {
      name: 'Una Reed',
      contract: 'M-100001',
      scope: 'The gift for Greta',
      email: 'una@murmur.example',
      statedAt: '2026-11-25T00:19:00.000Z',
    },
    says: [
      '25th November 2026 at 00:19 (UTC)',
      'Una Reed',
      'M-100001',
      'The gift for Greta',
      'una@murmur.example',
      'keep this email',
      '/info/support',
    ],
  },
  newsletter_confirm: { data: { token: 'n-1' }, says: ['/newsletter-signup?confirm=n-1'] },
  newsletter: {
    data: {
      subject: 'New in December',
      parts: [{ title: 'Out now' }, { text: 'Low Water is out.' }, { button: 'See it', to: '/browse' }],
      token: 'n-1',
    },
    says: ['Low Water is out.', '/browse', '/newsletter/unsubscribe/n-1'],
  },
  newsletter_welcome: { data: { token: 'n-1' }, says: ['/newsletter/unsubscribe/n-1'] },
  order_confirmed: {
    data: {
      firstName: 'Una',
      orderNumber: 'M-100001',
      path: '/orders/o-1',
      lines: [
        { title: 'A Quiet Book', priceMinor: 1499 },
        { title: 'Nine Winters', priceMinor: 899, giftTo: 'greta@murmur.example' },
      ],
      covers: [coverOf('a-quiet-book', 'A Quiet Book'), coverOf('nine-winters', 'Nine Winters')],
      booksGiven: 1,
      giverToken: 'bg-1',
      totalMinor: 2398,
      vatMinor: 250,
      discount: { code: 'WELCOME20', savedMinor: 560, roundedPercent: 20 },
    },
    says: [
      'M-100001',
      'A Quiet Book',
      '£14.99',
      'greta@murmur.example',
      '£23.98',
      '£2.50',
      'WELCOME20 (20% off, total rounded up to a whole pound)',
      '£5.60',
      '/orders/o-1',
      'take it back and get its money back',
      '/gifts?token=bg-1',
      '/withdraw?order=M-100001',
    ],
  },
  gift_book: {
    data: {
      giverName: 'Nell Hart',
      title: 'Nine Winters',
      kind: 'e-book',
      message: 'For the cold evenings',
      email: 'greta+1@murmur.example',
      token: 'g-1',
      code: 'ABCD-EFGH',
      covers: [coverOf('nine-winters', 'Nine Winters')],
    },
    says: [
      'Nell Hart',
      'Nine Winters',
      'For the cold evenings',
      '/get-book?email=greta%2B1%40murmur.example',
      'token=g-1',
      'ABCD-EFGH',
    ],
  },
  gift_book_opened: {
    data: { title: 'Nine Winters', recipient: 'greta@murmur.example' },
    says: ['greta@murmur.example has opened your gift', 'Nine Winters'],
  },
  gift_book_thanks: {
    data: {
      title: 'Nine Winters',
      recipient: 'greta@murmur.example',
      message: 'It snowed all week. Perfect.',
    },
    says: ['greta@murmur.example', 'Nine Winters', 'It snowed all week. Perfect.'],
  },
  gift_book_failed: {
    data: { title: 'Nine Winters', email: 'greta@murmur.exampel', giverToken: 'bg-1' },
    says: ['greta@murmur.exampel', 'Nothing is lost', '/gifts?token=bg-1'],
  },
  title_refunded: {
    data: { firstName: 'Una', orderNumber: 'M-100001', titles: ['A Quiet Book'], amountMinor: 1499 },
    says: ['M-100001', '£14.99', 'A Quiet Book is no longer in your library', '/orders'],
  },
  payment_disputed: {
    data: {
      firstName: 'Una',
      orderNumber: 'M-100001',
      amountMinor: 1499,
      outcome: 'open',
      titles: ['A Quiet Book'],
      plan: null,
    },
    says: [
      'M-100001',
      '£14.99',
      'We haven’t refunded anything',
      'Until then A Quiet Book is not in your library',
    ],
  },
  gift_withdrawn: {
    data: { title: 'Nine Winters', dispute: null },
    says: ['Nine Winters is no longer in your library', 'was returned to the giver', '/library'],
  },
  card_receipt: {
    data: { title: 'Nine Winters', ending: '7731', priceMinor: 1200 },
    says: ['Nine Winters', '£12.00', '7731', '/redemption'],
  },
  card_taken_back: { data: { ending: '7731' }, says: ['7731', 'no longer opens anything'] },
  outlet_statement: {
    data: {
      outlet: 'Corner House Books',
      number: 'S-1001',
      month: 'October 2026',
      cards: 43,
      soldMinor: 51_600,
      owedMinor: 20_640,
      commissionMinor: 820,
      toPayMinor: 19_820,
      dueOn: '30th November 2026',
    },
    says: ['October 2026', 'Corner House Books', '£516.00', '£206.40', '−£8.20', '£198.20', '/activation'],
  },
  outlet_reminder: {
    data: {
      number: 'S-1001',
      month: 'October 2026',
      toPayMinor: 19_820,
      dueOn: '30th November 2026',
      isLate: true,
    },
    says: ['S-1001', 'October 2026', '£198.20', '30th November 2026', '/activation'],
  },
  card_additions: {
    data: { month: 'October 2026', titles: [{ title: 'Nine Winters', priceMinor: 1200 }] },
    says: ['October 2026', 'Nine Winters', '£12.00', '/activation'],
  },
  starter_pack_asked: {
    data: { ...PACK, contact: 'Una Reed', email: 'una@corner.example', id: '3f2a9c1e' },
    says: ['Corner House Books', 'Whitby', 'Una Reed', 'una@corner.example', '--done 3f2a9c1e'],
  },
  starter_pack_received: { data: PACK, says: ['Corner House Books', 'Whitby', PACK.bookshopMail] },
  title_taken_back: {
    data: {
      firstName: 'Una',
      titles: ['Peat'],
      givenBack: { kind: 'free audiobook', lastDay: NEXT.at },
    },
    says: ['Peat is no longer in your library', 'another free audiobook until 3rd December 2026'],
  },
}
