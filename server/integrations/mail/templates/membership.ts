import { dayIn, formatPounds, hourIn } from '../../../format.ts'
import type { OwnersDetails } from '../../../settings/owners-details.ts'
import type { MailCover } from '../cover-queries.ts'
import type { EmailTemplate, Part } from '../template.ts'

/** Data that all membership emails share. In all of them instants are ISO 8601 and amounts are pence. */
export interface OfMember {
  readonly firstName: string
  /** `Reader, monthly` */
  readonly plan: string
}

const DETAILS = '/subscription-details'

export const membershipStarted: EmailTemplate<
  OfMember & {
    amountMinor: number
    /** The next charge; null for a membership that does not renew. */
    next: { at: string; amountMinor: number } | null
    validUntil: string
    creditsPerMonth: number
    path: string | null
    withdrawUntil: string
  }
> = (
  { firstName, plan, amountMinor, next, validUntil, creditsPerMonth, path, withdrawUntil },
  day,
  shop,
) => ({
  subject: `Welcome to ${shop.name} membership`,
  heading: `Welcome, ${firstName}`,
  parts: [
    { text: `You’re a member: ${plan}.${creditsWords(creditsPerMonth)}` },
    {
      rows: [
        ['Paid today', formatPounds(amountMinor)],
        next
          ? [`Next payment, ${day(next.at)}`, formatPounds(next.amountMinor)]
          : ['Runs until', `${day(validUntil)}, and doesn’t renew`],
      ],
    },
    { button: 'Choose something to listen to', to: '/subscriber-selection' },
    ...(path ? [{ button: 'See your receipt', to: path }] : []),
    {
      small: `You can cancel at any time under Your membership. Until ${day(withdrawUntil)} you can also change your mind and get your money back for what you haven’t used: choose “Withdraw from contract here” there.`,
    },
  ],
})

export const trialStarted: EmailTemplate<{
  firstName: string
  endsAt: string
  amountMinor: number
  creditsPerMonth: number
  /** Missing in emails queued by the previous release, which had a single kind of trial. */
  days?: number
  plan?: string
  yearly?: boolean
}> = (
  { firstName, endsAt, amountMinor, creditsPerMonth, days = 30, plan = 'Reader', yearly = false },
  day,
) => ({
  subject: 'Your free trial has started',
  heading: `Welcome, ${firstName}`,
  parts: [
    {
      text: `For ${days === 1 ? 'a day' : `${days} days`} ${plan === 'Reader' ? 'you’re a Reader' : `you have ${plan}`}, free of charge.${creditsWords(creditsPerMonth)}`,
    },
    {
      text: `On ${day(endsAt)} it becomes ${formatPounds(amountMinor)} a ${yearly ? 'year' : 'month'}. ${days > 7 ? 'We’ll write a week before, and again three days before. ' : days > 3 ? 'We’ll write three days before. ' : ''}If you cancel by then you pay nothing.`,
    },
    { button: 'Choose something to listen to', to: '/subscriber-selection' },
    { button: 'Manage or cancel', to: DETAILS },
  ],
})

export const trialEnding: EmailTemplate<{
  firstName: string
  endsAt: string
  plan: string
  amountMinor: number
  /** The second reminder, three days before. Missing in emails queued by the previous release. */
  last?: boolean
}> = ({ firstName, endsAt, plan, amountMinor, last }, day) => ({
  subject: last ? 'Your free trial ends in three days' : `Your free trial ends on ${day(endsAt)}`,
  heading: last ? 'Your trial ends in three days' : `Your trial ends on ${day(endsAt)}`,
  parts: [
    {
      text: `Hello ${firstName}, ${last ? `that’s on ${day(endsAt)}. From` : 'from'} then on your membership is ${plan}. The first payment of ${formatPounds(amountMinor)} is taken on that day.`,
    },
    {
      text: 'If you’d rather not continue, cancel before then. It takes two clicks, and you keep your library.',
    },
    { button: 'Manage or cancel', to: DETAILS },
  ],
})

/** Sent before a yearly renewal, and every six months for a monthly plan. */
export const membershipReminder: EmailTemplate<OfMember & { at: string; amountMinor: number }> = (
  { firstName, plan, at, amountMinor },
  day,
  shop,
) => ({
  subject: `Your ${shop.name} membership renews on ${day(at)}`,
  heading: `Your membership renews on ${day(at)}`,
  parts: [
    {
      text: `Hello ${firstName}, you’re a member: ${plan}. The next payment of ${formatPounds(amountMinor)} is taken on ${day(at)}.`,
    },
    { text: 'There’s nothing you need to do. To change or cancel your membership, open it here:' },
    { button: 'Manage or cancel', to: DETAILS },
  ],
})

export const membershipRenewed: EmailTemplate<
  OfMember & {
    amountMinor: number
    vatMinor: number
    validUntil: string
    /** These two are missing in emails queued by the previous release. */
    creditsPerMonth?: number
    next?: { at: string; amountMinor: number } | null
    orderNumber: string
    path: string
    /** Empty for a member who doesn't want them; missing in emails queued by the previous release. */
    covers?: readonly MailCover[]
  }
> = (
  {
    firstName,
    plan,
    amountMinor,
    vatMinor,
    validUntil,
    creditsPerMonth = 0,
    next,
    orderNumber,
    path,
    covers = [],
  },
  day,
  shop,
) => ({
  subject: `Your ${shop.name} membership has been renewed`,
  heading: 'Your membership has been renewed',
  parts: [
    { text: `Thank you, ${firstName}. Your membership continues until ${day(validUntil)}.` },
    ...(creditsPerMonth > 0
      ? [
          {
            text: `${creditsPerMonth === 1 ? 'A new free audiobook is' : `${twoOrMore(creditsPerMonth)} new free audiobooks are`} waiting for you. Anything unused doesn’t carry over to the next month.`,
          },
          ...toChoose(covers),
          chooseButton(creditsPerMonth),
        ]
      : []),
    {
      rows: [
        [`Order ${orderNumber}`, plan],
        ['VAT included', formatPounds(vatMinor)],
        ['Total', formatPounds(amountMinor)],
      ],
    },
    { button: 'See your receipt', to: path },
    ...(next ? [{ text: nextWords(next, day) }] : []),
    { button: 'Manage or cancel', to: DETAILS },
    ...(covers.length > 0 ? [HOW_TO_SWITCH_OFF] : []),
  ],
})

/** At the start of each month of a yearly plan or a gift; monthly plans have the renewal's email. */
export const membershipMonth: EmailTemplate<
  OfMember & {
    left: number
    lastDay: string
    /** Null for a gift, and for a membership that was cancelled. */
    next: { at: string; amountMinor: number } | null
    validUntil: string
    covers: readonly MailCover[]
  }
> = ({ firstName, plan, left, lastDay, next, validUntil, covers }, day) => ({
  subject:
    left === 0
      ? 'Your membership this month'
      : left === 1
        ? 'Your free audiobook this month'
        : 'Your free audiobooks this month',
  heading:
    left === 0
      ? 'You’ve chosen for this month'
      : left === 1
        ? 'A new free audiobook is waiting'
        : `${twoOrMore(left)} new free audiobooks are waiting`,
  parts: [
    {
      text:
        left === 0
          ? `Hello ${firstName}, what you chose is in your library, and yours for good.`
          : `Hello ${firstName}, ${left === 1 ? 'a free audiobook is' : `${left === 2 ? 'two' : left} free audiobooks are`} yours to choose until ${day(lastDay)}. What you choose is yours for good.`,
    },
    ...toChoose(covers),
    ...(left === 0 ? [] : [chooseButton(left)]),
    {
      text: next
        ? `You’re a member: ${plan}. ${nextWords(next, day)}`
        : `You’re a member: ${plan}, until ${day(validUntil)}. It ends then, and there’s nothing to pay.`,
    },
    { button: next ? 'Manage or cancel' : 'See your membership', to: DETAILS },
    ...(covers.length > 0 ? [HOW_TO_SWITCH_OFF] : []),
  ],
})

const nextWords = (next: { at: string; amountMinor: number }, day: (iso: string) => string): string =>
  `The next payment of ${formatPounds(next.amountMinor)} is taken on ${day(next.at)}. To stop it, cancel at any time before then with the button below.`

const toChoose = (covers: readonly MailCover[]): Part[] =>
  covers.length === 0
    ? []
    : [
        { text: covers.length === 1 ? 'One we thought of for you:' : 'A few we thought of for you:' },
        { covers, inWords: true },
      ]

const chooseButton = (count: number): Part => ({
  button: `Choose your free audiobook${count === 1 ? '' : 's'}`,
  to: '/subscriber-selection',
})

const HOW_TO_SWITCH_OFF: Part = {
  small:
    'You can switch off the covers, and the reminder a week before a free audiobook expires, in your settings.',
}

export const audiobookLapsing: EmailTemplate<{
  firstName: string
  left: number
  lastDay: string
  covers?: readonly MailCover[]
}> = ({ firstName, left, lastDay, covers = [] }, day) => ({
  subject: `Your free audiobook${left === 1 ? ' is' : 's are'} waiting until ${day(lastDay)}`,
  heading: left === 1 ? 'A free audiobook is waiting' : 'Your free audiobooks are waiting',
  parts: [
    {
      text: `Hello ${firstName}, ${left === 1 ? 'a free audiobook is' : `${left === 2 ? 'two' : left} free audiobooks are`} still yours to choose, until ${day(lastDay)}. ${left === 1 ? 'It doesn’t' : 'They don’t'} carry over, and what you choose is yours to keep.`,
    },
    ...toChoose(covers),
    chooseButton(left),
    HOW_TO_SWITCH_OFF,
  ],
})

export const paymentFailed: EmailTemplate<
  OfMember & {
    amountMinor: number
    benefitsUntil: string
    /** The grace period has ended already: the event arrived late. */
    over?: boolean
    subscriptionId: string
    last: boolean
  }
> = ({ firstName, plan, amountMinor, benefitsUntil, over, subscriptionId, last }, day) => ({
  subject: last ? 'Your member prices end in two days' : 'Your membership payment didn’t go through',
  heading: last ? 'Your payment is still waiting' : 'Your payment didn’t go through',
  parts: [
    {
      text: `Hello ${firstName}, we couldn’t take ${formatPounds(amountMinor)} for ${plan}. We’ll try again over the next few days.`,
    },
    {
      text: over
        ? 'Until it’s paid, member prices and recordings wait. Use another card, or ask your bank.'
        : `You stay a member until ${day(benefitsUntil)}. To keep it that way, use another card or ask your bank.`,
    },
    { button: 'Update your card', to: cardUpdate(subscriptionId) },
    { small: 'Your library, your places and your notes stay, whatever happens.' },
  ],
})

export const paymentNeedsYou: EmailTemplate<
  OfMember & { amountMinor: number; benefitsUntil: string; subscriptionId: string }
> = ({ firstName, plan, amountMinor, benefitsUntil, subscriptionId }, day) => ({
  subject: 'Your bank would like you to confirm a payment',
  heading: 'Please confirm your payment',
  parts: [
    {
      text: `Hello ${firstName}, your bank wants to be sure that it’s you before it pays ${formatPounds(amountMinor)} for ${plan}.`,
    },
    { button: 'Confirm the payment', to: `${cardUpdate(subscriptionId)}&confirm=1` },
    { text: `You stay a member until ${day(benefitsUntil)}.` },
  ],
})

export const cardChanged: EmailTemplate<{ firstName: string; paidBy: string }> = ({ firstName, paidBy }) => ({
  subject: 'Your payment details have changed',
  heading: 'Your payment details have changed',
  parts: [
    { text: `Hello ${firstName}, we’ll use ${paidBy} for your membership from now on.` },
    { text: 'If it wasn’t you, change your password and tell us.' },
    { button: 'See your membership', to: DETAILS },
  ],
})

export const planChanged: EmailTemplate<{
  firstName: string
  from: string
  to: string
  /** When the change takes effect; null if it already has. */
  at: string | null
  amountMinor: number
  /** Additional free audiobooks this month; missing in emails queued by the previous release. */
  more?: number
  next: { at: string; amountMinor: number } | null
}> = ({ firstName, from, to, at, amountMinor, more, next }, day) => ({
  subject: `Your membership: ${to}`,
  heading: at ? `From ${day(at)}: ${to}` : `Your membership is ${to} now`,
  parts: [
    {
      text: at
        ? `Hello ${firstName}, until ${day(at)} you keep ${from}. Then your membership continues as ${to}.`
        : `Hello ${firstName}, your membership was ${from} until today. Now it’s ${to}.${moreWords(more)}`,
    },
    {
      rows: [
        ...(amountMinor > 0 ? [['Paid today', formatPounds(amountMinor)] as const] : []),
        ...(next ? [[`Next payment, ${day(next.at)}`, formatPounds(next.amountMinor)] as const] : []),
      ],
    },
    { button: 'See your membership', to: DETAILS },
  ],
})

export const membershipCancelled: EmailTemplate<OfMember & { validUntil: string; trial: boolean }> = (
  { firstName, validUntil, trial },
  day,
) => ({
  subject: 'Your membership is cancelled',
  heading: 'Your membership is cancelled',
  parts: [
    {
      text: `Hello ${firstName}, your membership runs until ${day(validUntil)}. ${trial ? 'You won’t be charged.' : 'Nothing is charged after that.'}`,
    },
    {
      text: 'Your library, your places and your notes are yours to keep. If you change your mind before then, one press brings your membership back.',
    },
    { button: 'See your membership', to: DETAILS },
  ],
})

export const membershipResumed: EmailTemplate<
  OfMember & {
    next: { at: string; amountMinor: number } | null
    dropped: { plan: string; at: string } | null
  }
> = ({ firstName, plan, next, dropped }, day) => ({
  subject: 'Your membership continues',
  heading: `Good to have you back, ${firstName}`,
  parts: [
    {
      text: `Your membership goes on${dropped ? '' : ' as before'}: ${plan}.${next ? ` The next payment of ${formatPounds(next.amountMinor)} is taken on ${day(next.at)}.` : ''}`,
    },
    ...(dropped
      ? [
          {
            text: `You’d chosen ${dropped.plan} from ${day(dropped.at)}. Cancelling ended that; you can choose it again.`,
          },
        ]
      : []),
    { button: 'See your membership', to: DETAILS },
  ],
})

/** Reminder for memberships paid in full by a discount code: there is no stored payment method to renew with. */
export const membershipEnding: EmailTemplate<OfMember & { validUntil: string }> = (
  { firstName, validUntil },
  day,
) => ({
  subject: `Your membership ends on ${day(validUntil)}`,
  heading: `Your membership ends on ${day(validUntil)}`,
  parts: [
    {
      text: `Hello ${firstName}, your membership ends on ${day(validUntil)}. It doesn’t renew automatically.`,
    },
    { text: 'If you’d like to continue, choose a plan when it ends.' },
    { button: 'See the plans', to: '/subscription' },
  ],
})

export const membershipEnded: EmailTemplate<OfMember & { unpaid: boolean }> = (
  { firstName, plan, unpaid },
  day,
  shop,
) => ({
  subject: `Your ${shop.name} membership has ended`,
  heading: 'Your membership has ended',
  parts: [
    {
      text: unpaid
        ? `Hello ${firstName}, we couldn’t take the payment for ${plan}, so your membership has ended. You owe us nothing.`
        : `Hello ${firstName}, your membership has ended. Thank you for being a member.`,
    },
    { text: 'Everything in your library is still yours, with your places and your notes.' },
    { button: 'Open your library', to: '/library' },
    { button: 'Join again', to: '/subscription' },
  ],
})

const cardUpdate = (subscriptionId: string) => `/payment?update-card=1&subscription=${subscriptionId}`

/** Required by Directive (EU) 2023/2673, Article 11a. Sent before the withdrawal is carried out. */
export const withdrawalReceived: EmailTemplate<{
  name: string
  contract: string
  scope: string | null
  email: string
  statedAt: string
}> = ({ name, contract, scope, email, statedAt }, _day, shop: OwnersDetails) => ({
  subject: 'We’ve received your withdrawal',
  heading: 'You’ve withdrawn from a contract',
  parts: [
    {
      text: `${shop.seller} received your statement on ${dayIn('UTC', statedAt)} at ${hourIn('UTC', statedAt)} (UTC). Please keep this email as your confirmation.`,
    },
    { title: 'What you stated' },
    { text: `Name: ${name}` },
    { text: `Contract: ${contract}` },
    { text: `Withdrawing from: ${scope ?? 'all of it'}` },
    { text: `Confirmation to: ${email}` },
    { title: 'What happens next' },
    {
      text: 'Where you have the right to withdraw, we’ll send your money back to where it came from within 14 days, and write to you again. If we can’t carry it out, we’ll tell you why.',
    },
    { small: 'If you didn’t ask for this, please tell us.' },
    { button: 'Write to us', to: '/info/support' },
  ],
})

/** The refund after a withdrawal, once the provider has ended the membership. The receipt was sent before. */
export const membershipWithdrawn: EmailTemplate<
  // Emails queued by the previous release have no time.
  OfMember & { amountMinor: number; withdrawnAt?: string }
> = ({ firstName, plan, amountMinor, withdrawnAt }) => ({
  subject: 'You’ve withdrawn from your membership',
  heading: 'Your money is on its way back',
  parts: [
    {
      text: `Hello ${firstName}, your membership (${plan}) has ended. We’re sending ${formatPounds(amountMinor)} back to where it came from. What you took into your library stays there.`,
    },
    ...(withdrawnAt
      ? [
          {
            text: `You withdrew from your contract for this membership on ${dayIn('UTC', withdrawnAt)} at ${hourIn('UTC', withdrawnAt)} (UTC).`,
          },
        ]
      : []),
    { text: 'Your bank may take a few days.' },
    { button: 'See your orders', to: '/orders' },
  ],
})

export const membershipRefunded: EmailTemplate<
  OfMember & { amountMinor: number; orderNumber: string; ended: boolean }
> = ({ firstName, plan, amountMinor, orderNumber, ended }) => ({
  subject: `Your money back for order ${orderNumber}`,
  heading: 'Your money is on its way back',
  parts: [
    {
      text: `Hello ${firstName}, we’ve refunded ${formatPounds(amountMinor)} of your order ${orderNumber} (${plan}).${ended ? ' Your membership has ended. What you took into your library stays there.' : ''}`,
    },
    { text: 'Your bank may take a few days.' },
    { button: 'See your orders', to: '/orders' },
  ],
})

const moreWords = (more = 0): string =>
  more === 0
    ? ''
    : ` ${more === 1 ? 'One more free audiobook is' : `${more} more free audiobooks are`} yours to choose this month.`

export const twoOrMore = (count: number): string => (count === 2 ? 'Two' : String(count))

const creditsWords = (perMonth: number): string =>
  perMonth === 0
    ? ''
    : ` ${perMonth === 1 ? 'A free audiobook' : `${twoOrMore(perMonth)} free audiobooks`} every month, chosen by you from the current highlights, ${perMonth === 1 ? 'is' : 'are'} part of it.`
