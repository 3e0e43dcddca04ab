import type { DataOf, MailKind } from './kinds.ts'

const member = { firstName: 'Una', plan: 'Reader, monthly' }
const NEXT = { at: '2026-12-03T10:00:00.000Z', amountMinor: 800 }
const UNTIL = '2026-11-27T10:00:00.000Z'
const COVERS = [
  {
    picture: '/media/covers/aa/aaaa-330.jpg',
    ratio: 1,
    title: 'The Quiet House',
    to: '/subscriber-selection?choose=quiet-house',
  },
]

/** The mails about memberships, bought and given. */
export const SAMPLES_OF_MEMBERS = {
  gift_membership: {
    data: {
      giverName: 'Gwen Tarn',
      firstName: 'Una',
      plan: 'a year of Reader',
      months: 12,
      creditsPerMonth: 1,
      christmas: true,
      message: 'For long evenings',
      email: 'una@murmur.example',
      claimableUntil: UNTIL,
      waited: null,
      token: 'a-token',
      code: '1234-5678',
    },
    says: [
      'Merry Christmas, Una',
      'Gwen Tarn has given you a',
      'membership: a year of Reader',
      'For long evenings',
      '/get-subscription?email=una%40murmur.example',
      '1234-5678',
      'never be charged',
      '27th November 2026',
    ],
  },
  gift_membership_given: {
    data: {
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      recipient: 'Una',
      email: 'una@murmur.example',
      arrivesAt: '2026-12-24T19:00:00.000Z',
      zone: 'Pacific/Auckland',
      takeBackUntil: UNTIL,
      claimableUntil: UNTIL,
      giverToken: 'mg-1',
    },
    says: [
      '25th December 2026',
      '08:00',
      'Pacific/Auckland',
      'una@murmur.example',
      'nothing renews',
      'lapses',
      'See whether it’s been opened',
      '/gifts?token=mg-1',
    ],
  },
  gift_membership_failed: {
    data: {
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      email: 'una@murmur.exampel',
      giverToken: 'mg-1',
    },
    says: ['una@murmur.exampel', 'Nothing is lost', '/gifts?token=mg-1'],
  },
  gift_membership_opened: {
    data: { giverName: 'Gwen Tarn', plan: 'a year of Reader', recipient: 'Una' },
    says: ['Una has opened your gift', 'a year of Reader'],
  },
  gift_membership_thanks: {
    data: { giverName: 'Gwen Tarn', plan: 'a year of Reader', recipient: 'Una', message: 'Twelve books!' },
    says: ['Una', 'a year of Reader', 'Twelve books!'],
  },
  gift_membership_unopened: {
    data: {
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      recipient: 'Una',
      email: 'una@murmur.example',
      claimableUntil: UNTIL,
      giverToken: 'mg-1',
    },
    says: ['Una', 'Nobody has opened it yet', '27th November 2026'],
  },
  gift_membership_begun: {
    data: {
      firstName: 'Una',
      giverName: 'Gwen Tarn',
      plan: 'a year of Reader',
      validUntil: UNTIL,
      creditsPerMonth: 1,
      waited: true,
    },
    says: ['Gwen Tarn', 'a year of Reader', '27th November 2026', 'never be charged'],
  },
  gift_membership_withdrawn: {
    data: { plan: 'a year of Reader' },
    says: ['a year of Reader', 'returned to the giver', 'still yours'],
  },
  membership_started: {
    data: {
      ...member,
      amountMinor: 400,
      next: NEXT,
      validUntil: NEXT.at,
      creditsPerMonth: 2,
      path: '/orders/o-1',
      withdrawUntil: UNTIL,
    },
    says: [
      'Reader, monthly',
      'Two free audiobooks every month',
      '£4.00',
      'Next payment, 3rd December 2026',
      '£8.00',
      'Until 27th November 2026 you can also change your mind',
      '/orders/o-1',
    ],
  },
  trial_started: {
    data: { firstName: 'Una', endsAt: NEXT.at, amountMinor: 800, creditsPerMonth: 1 },
    says: [
      'A free audiobook every month',
      '30 days',
      'On 3rd December 2026 it becomes £8.00 a month',
      'you pay nothing',
      '/subscription-details',
    ],
  },
  trial_ending: {
    data: { ...member, endsAt: NEXT.at, amountMinor: 800, last: true },
    says: ['ends in three days', '3rd December 2026', '£8.00', 'cancel before then', '/subscription-details'],
  },
  membership_reminder: {
    data: { ...member, ...NEXT },
    says: ['renews on 3rd December 2026', '£8.00', '/subscription-details'],
  },
  audiobook_lapsing: {
    data: { firstName: 'Una', left: 1, lastDay: NEXT.at },
    says: ['still yours to choose, until 3rd December 2026', '/subscriber-selection'],
  },
  audiobook_given: {
    data: { firstName: 'Una', count: 2, lastDay: NEXT.at },
    says: ['given you 2 free audiobooks', 'Choose until 3rd December 2026', '/subscriber-selection'],
  },
  membership_month: {
    data: { ...member, left: 2, lastDay: NEXT.at, next: NEXT, validUntil: UNTIL, covers: COVERS },
    says: [
      'two free audiobooks are yours to choose until 3rd December 2026',
      '/subscriber-selection?choose=quiet-house',
      'The next payment of £8.00 is taken on 3rd December 2026',
      'cancel at any time',
      'in your settings',
      '/subscription-details',
    ],
  },
  membership_renewed: {
    data: {
      ...member,
      amountMinor: 800,
      vatMinor: 133,
      validUntil: NEXT.at,
      creditsPerMonth: 2,
      next: NEXT,
      orderNumber: 'M-100001',
      path: '/orders/o-1',
      covers: COVERS,
    },
    says: [
      'until 3rd December 2026',
      '/subscriber-selection?choose=quiet-house',
      'Two new free audiobooks are waiting for you',
      '/subscriber-selection',
      'The next payment of £8.00 is taken on 3rd December 2026',
      'Manage or cancel',
      'M-100001',
      '£8.00',
      '£1.33',
      '/orders/o-1',
    ],
  },
  payment_failed: {
    data: { ...member, amountMinor: 800, benefitsUntil: UNTIL, subscriptionId: 's-1', last: false },
    says: ['£8.00', '27th November 2026', '/payment?update-card=1&subscription=s-1', 'Your library'],
  },
  payment_needs_you: {
    data: { ...member, amountMinor: 800, benefitsUntil: UNTIL, subscriptionId: 's-1' },
    says: ['your bank', '£8.00', '/payment?update-card=1&subscription=s-1'],
  },
  card_changed: {
    data: { firstName: 'Una', paidBy: 'the card ending in 4242' },
    says: ['the card ending in 4242', '/subscription-details'],
  },
  plan_changed: {
    data: {
      firstName: 'Una',
      from: 'Reader, monthly',
      to: 'Avid Reader, monthly',
      at: null,
      amountMinor: 210,
      more: 1,
      next: NEXT,
    },
    says: [
      'Avid Reader, monthly',
      'One more free audiobook is yours to choose this month',
      '£2.10',
      'Next payment, 3rd December 2026',
    ],
  },
  membership_cancelled: {
    data: { ...member, validUntil: NEXT.at, trial: true },
    says: ['3rd December 2026', 'You won’t be charged', 'yours to keep', '/subscription-details'],
  },
  membership_resumed: {
    data: { ...member, next: NEXT, dropped: { plan: 'Supporter', at: NEXT.at } },
    says: ['£8.00', 'You’d chosen Supporter from 3rd December 2026.', 'you can choose it again'],
  },
  membership_ending: {
    data: { ...member, validUntil: UNTIL },
    says: ['27th November 2026', 'doesn’t renew automatically', '/subscription'],
  },
  membership_ended: {
    data: { ...member, unpaid: true },
    says: ['You owe us nothing', '/library', '/subscription'],
  },
  membership_refunded: {
    data: { ...member, amountMinor: 350, orderNumber: 'M-100001', ended: true },
    says: ['£3.50', 'M-100001', 'Your membership has ended', '/orders'],
  },
  membership_withdrawn: {
    data: { ...member, amountMinor: 693, withdrawnAt: '2026-11-25T00:19:00.000Z' },
    says: [
      'has ended',
      'We’re sending £6.93 back',
      'You withdrew from your contract for this membership on 25th November 2026 at 00:19 (UTC)',
      '/orders',
    ],
  },
} satisfies { readonly [Kind in MailKind]?: { data: DataOf<Kind>; says: readonly string[] } }
