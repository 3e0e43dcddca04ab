import { dayIn, hourIn } from '../../../format.ts'
import type { MailCover } from '../cover-queries.ts'
import type { EmailTemplate } from '../template.ts'
import { twoOrMore } from './membership.ts'

/** Giver and gift come first, so that it is not mistaken for a bill. */
export const giftMembership: EmailTemplate<{
  giverName: string
  firstName: string | null
  /** `a year of Reader` */
  plan: string
  months: number
  creditsPerMonth: number
  christmas: boolean
  message?: string
  email: string
  claimableUntil: string
  waited: number | null
  token: string
  code: string
}> = (gift, day, shop) => {
  const { giverName, firstName, plan, months, creditsPerMonth, christmas, message, email, token, code } = gift
  const isReminder = gift.waited !== null
  return {
    subject: isReminder
      ? `Your gift from ${giverName} is still waiting`
      : `${giverName} has given you a ${shop.name} membership`,
    heading: isReminder
      ? 'Your gift is still waiting'
      : christmas
        ? `Merry Christmas${firstName ? `, ${firstName}` : ''}`
        : `A gift for you${firstName ? `, ${firstName}` : ''}`,
    parts: [
      {
        text: `${giverName} has given you a ${shop.name} membership: ${plan}.${creditWords(creditsPerMonth, months)}`,
      },
      ...(message ? [{ quote: message, by: giverName }] : []),
      {
        button: 'Open my gift',
        to: `/get-subscription?email=${encodeURIComponent(email)}&token=${encodeURIComponent(token)}`,
      },
      { code, label: 'In the app, enter this code instead:' },
      {
        text: 'It’s paid for. You need no card, nothing renews, and you’ll never be charged for it. If you’re a member already, it waits until your own membership has ended.',
      },
      { small: `Please open it by ${day(gift.claimableUntil)}.` },
    ],
  }
}

export const giftMembershipGiven: EmailTemplate<{
  giverName: string
  plan: string
  recipient: string
  email: string
  arrivesAt: string | null
  zone: string
  takeBackUntil: string
  claimableUntil: string
  /** Opens this gift for its giver, without a log-in. Emails queued by an earlier release have none. */
  giverToken?: string
}> = ({ plan, recipient, email, arrivesAt, zone, takeBackUntil, claimableUntil, giverToken }, day) => ({
  subject: `Your gift for ${recipient}`,
  heading: arrivesAt ? `Your gift arrives on ${dayIn(zone, arrivesAt)}` : 'Your gift is on its way',
  parts: [
    {
      text: arrivesAt
        ? `We’ll send ${plan} to ${email} on ${dayIn(zone, arrivesAt)} at ${hourIn(zone, arrivesAt)} (${zone}).`
        : `We’ve just sent ${plan} to ${recipient}, ${email}.`,
    },
    {
      text: `Until it’s opened you can correct the address, send it again, or, until ${day(takeBackUntil)}, take it back and get all of your money.`,
    },
    { button: 'See whether it’s been opened', to: giverPath(giverToken) },
    {
      small: `It’s one payment, and nothing renews. If nobody opens it by ${day(claimableUntil)}, it lapses.`,
    },
  ],
})

export const giftMembershipFailed: EmailTemplate<{
  giverName: string
  plan: string
  email: string
  /** Opens this gift for its giver, without a log-in. Emails queued by an earlier release have none. */
  giverToken?: string
}> = ({ plan, email, giverToken }) => ({
  subject: 'Your gift couldn’t be delivered',
  heading: 'Your gift couldn’t be delivered',
  parts: [
    { text: `We couldn’t deliver ${plan} to ${email}: the address doesn’t accept our email.` },
    { text: `Nothing is lost. Correct the address and we’ll send it again.` },
    { button: 'Correct the address', to: giverPath(giverToken) },
  ],
})

export const giftMembershipOpened: EmailTemplate<{ giverName: string; plan: string; recipient: string }> = ({
  plan,
  recipient,
}) => ({
  subject: `${recipient} has opened your gift`,
  heading: 'Your gift has been opened',
  parts: [{ text: `${recipient} has opened your gift: ${plan}. Well chosen.` }],
})

export const giftMembershipThanks: EmailTemplate<{
  giverName: string
  plan: string
  recipient: string
  message: string
}> = ({ plan, recipient, message }) => ({
  subject: `${recipient} says thank you`,
  heading: 'A thank you for your gift',
  parts: [{ text: `For ${plan}:` }, { quote: message, by: recipient }],
})

/** After 11 and 23 months. */
export const giftMembershipUnopened: EmailTemplate<{
  giverName: string
  plan: string
  recipient: string
  email: string
  claimableUntil: string
  /** Opens this gift for its giver, without a log-in. Emails queued by an earlier release have none. */
  giverToken?: string
  isReminded?: boolean
}> = ({ plan, recipient, email, claimableUntil, giverToken, isReminded = true }, day, shop) => ({
  subject: `Your gift for ${recipient} hasn’t been opened`,
  heading: 'Your gift is still waiting',
  parts: [
    {
      text: `You gave ${recipient} a ${shop.name} membership, ${plan}. Nobody has opened it yet. ${isReminded ? `We’ve just reminded ${email}; perhaps you’d like to mention it too.` : `Our email to ${email} didn’t get through.`}`,
    },
    { text: 'Is the address still right?' },
    { button: 'Correct the address', to: giverPath(giverToken) },
    { small: `If nobody opens it by ${day(claimableUntil)}, it lapses.` },
  ],
})

export const giftMembershipBegun: EmailTemplate<{
  firstName: string
  giverName: string
  plan: string
  validUntil: string
  creditsPerMonth: number
  waited: boolean
}> = ({ firstName, giverName, plan, validUntil, creditsPerMonth, waited }, day, shop) => ({
  subject: waited ? `Your gift from ${giverName} has started` : `Welcome to ${shop.name} membership`,
  heading: waited ? 'Your gift has started' : `Welcome, ${firstName}`,
  parts: [
    {
      text: `${waited ? `Hello ${firstName}, your own membership has ended, and the gift from ${giverName} goes on from there` : `You’re a member, thanks to ${giverName}`}: ${plan}.${creditWords(creditsPerMonth, 0)}`,
    },
    { rows: [['Runs until', `${day(validUntil)}, and doesn’t renew`]] },
    { button: 'Choose something to listen to', to: '/subscriber-selection' },
    { small: 'You’ll never be charged for it.' },
  ],
})

export const giftMembershipWithdrawn: EmailTemplate<{ plan: string }> = ({ plan }) => ({
  subject: 'A gift was taken back',
  heading: 'A gift was taken back',
  parts: [
    {
      text: `The payment for ${plan}, which you had been given, was returned to the giver, so the membership has ended.`,
    },
    { text: 'Everything in your library is still yours, with your places and your notes.' },
    { button: 'Open your library', to: '/library' },
  ],
})

export const giverPath = (giverToken: string | undefined): string =>
  giverToken === undefined ? '/gifts' : `/gifts?token=${encodeURIComponent(giverToken)}`

const creditWords = (perMonth: number, months: number) =>
  perMonth === 0
    ? ''
    : ` ${perMonth === 1 ? 'A free audiobook' : `${twoOrMore(perMonth)} free audiobooks`}${months === 1 ? '' : ' every month'} ${perMonth === 1 ? 'is' : 'are'} part of it, yours to keep.`

export const audiobookGiven: EmailTemplate<{
  firstName: string
  count: number
  lastDay: string
  covers?: readonly MailCover[]
}> = ({ firstName, count, lastDay, covers = [] }, day) => ({
  subject: count === 1 ? 'A free audiobook from us' : `${count} free audiobooks from us`,
  heading: count === 1 ? 'A free audiobook from us' : `${count} free audiobooks from us`,
  parts: [
    {
      text: `Hello ${firstName}, we’ve given you ${count === 1 ? 'a free audiobook' : `${count} free audiobooks`}. Choose until ${day(lastDay)}; what you choose is yours to keep.`,
    },
    { covers },
    { button: `Choose your free audiobook${count === 1 ? '' : 's'}`, to: '/subscriber-selection' },
  ],
})
