import { formatPounds } from '../../../format.ts'
import type { ClosingOutcome } from '#contract/account-deletion.ts'
import type { EmailTemplate, Part } from '../template.ts'

export interface Proof {
  readonly firstName: string
  readonly token: string
  readonly code: string
}

export const confirmAddress: EmailTemplate<Proof & { newsletter?: boolean }> = (
  { firstName, token, code, newsletter = false },
  day,
  shop,
) => ({
  subject: `Confirm your email for ${shop.name}`,
  heading: `Welcome, ${firstName}`,
  parts: [
    { text: 'Please confirm that this is your email address. You can listen, read and buy in the meantime.' },
    ...(newsletter ? [{ text: 'You asked for our newsletter too. It starts once you’ve confirmed.' }] : []),
    { button: 'Confirm my email', to: `/confirm/${token}` },
    { code, label: `In the installed app, type this code under Settings instead:` },
    { small: 'The link and the code work for 24 hours. If you didn’t sign up, you can ignore this email.' },
  ],
})

export const resetPassword: EmailTemplate<Proof & { userId: string }> = (
  { firstName, userId, token, code },
  day,
  shop,
) => ({
  subject: `Choose a new password for ${shop.name}`,
  heading: 'Choose a new password',
  parts: [
    { text: `Hello ${firstName}, somebody asked for a new password for your account.` },
    { button: 'Choose a new password', to: `/reset-password/${userId}?token=${token}` },
    { code, label: 'Or type this code where you asked for it:' },
    {
      small: `The link and the code work once, for one hour. If it wasn’t you, you can ignore this email: your password stays the same.`,
    },
  ],
})

export const passwordChanged: EmailTemplate<{ firstName: string }> = ({ firstName }, day, shop) => ({
  subject: `Your ${shop.name} password was changed`,
  heading: 'Your password was changed',
  parts: [
    {
      text: `Hello ${firstName}, your password has just been changed, and your other devices were logged out.`,
    },
    { text: 'If it wasn’t you, choose a new password straight away.' },
    { button: 'It wasn’t me', to: '/forgot-password' },
  ],
})

export const emailChange: EmailTemplate<Proof> = ({ firstName, token, code }, day, shop) => ({
  subject: `Confirm your new email for ${shop.name}`,
  heading: 'Confirm your new email',
  parts: [
    { text: `Hello ${firstName}, you asked to use this email address for your account.` },
    { button: 'Use this email', to: `/confirm/${token}` },
    { code, label: 'In the installed app, type this code under Settings instead:' },
    {
      small:
        'The link and the code work for 24 hours. If you didn’t ask for this, you can ignore this email: nothing changes.',
    },
  ],
})

/** To an address that already has an account. Contains no link, because anyone may have caused it. */
export const emailInUse: EmailTemplate<{ email: string }> = ({ email }, day, shop) => ({
  subject: `This email already has a ${shop.name} account`,
  heading: 'This email already has an account',
  parts: [
    {
      text: `Somebody, perhaps you, asked to use ${email} for another account. Nothing has changed.`,
    },
    { small: 'An email address belongs to one account. If it wasn’t you, you can ignore this email.' },
  ],
})

export const emailChangeAsked: EmailTemplate<{ firstName: string }> = ({ firstName }, day, shop) => ({
  subject: `A new email for your ${shop.name} account`,
  heading: 'You asked to change your email',
  parts: [
    {
      text: `Hello ${firstName}, your account is about to get a new email address. It changes once the link we sent there is used.`,
    },
    { text: 'If it wasn’t you, choose a new password straight away. That stops the change, too.' },
    { button: 'It wasn’t me', to: '/forgot-password' },
  ],
})

/** Only a confirmed address can take the account back. */
export const emailChanged: EmailTemplate<{ firstName: string; token?: string }> = (
  { firstName, token },
  day,
  shop,
) => ({
  subject: `Your ${shop.name} email was changed`,
  heading: 'Your email was changed',
  parts: [
    {
      text: `Hello ${firstName}, your account now has another email address. This one no longer logs you in.`,
    },
    ...(token
      ? [
          { text: 'If it wasn’t you, put this address back and choose a new password.' },
          { button: 'Put this email back', to: `/confirm/undo.${token}` },
          { small: 'The link works once, for 7 days. It logs out every device.' },
        ]
      : []),
  ],
})

export interface EndedMembership {
  readonly plan: string
  readonly gift: boolean
  readonly outcome: ClosingOutcome
}

export const accountDeleted: EmailTemplate<{
  firstName: string
  /** Absent in emails queued by the previous release. */
  ended?: readonly EndedMembership[]
  amountMinor?: number
}> = ({ firstName, ended = [], amountMinor = 0 }, day, shop) => ({
  subject: `Your ${shop.name} account has been deleted`,
  heading: `Goodbye, ${firstName}`,
  parts: [
    { text: 'Your account, your library and your places have been deleted.' },
    ...ended.map((membership) => ({ text: endedWords(membership) })),
    ...(amountMinor > 0
      ? [
          {
            text: `We’re sending ${formatPounds(amountMinor)} back to where it came from. Your bank may take a few days.`,
          },
        ]
      : []),
    {
      small:
        'We keep your orders without your name, because the law asks for the figures. If it wasn’t you, please write to us.',
    },
    { button: 'Get in touch', to: '/info/support' },
  ],
})

const endedWords = ({ plan, gift, outcome }: EndedMembership): string =>
  `${gift ? 'The membership you were given' : 'Your membership'} (${plan}) has ended. ${WHY[outcome]}`.trim()

const WHY: Record<ClosingOutcome, string> = {
  back: '',
  to_giver: 'The person who gave it to you gets their money back.',
  nothing_left: 'There was nothing to refund, since you’d already chosen that month’s free audiobooks.',
  too_late: 'Nothing more is charged. Its 14 days for a refund were over, so nothing is paid back.',
  disputed:
    'Nothing more is charged. Your bank is still looking into a payment for it, so we couldn’t pay anything back.',
  no_charge: 'You paid nothing for it, and nothing is charged.',
}

export const newsletterConfirm: EmailTemplate<{ token: string }> = ({ token }, day, shop) => ({
  subject: `Do you want ${shop.name}’s newsletter?`,
  heading: 'One click and you’re on the list',
  parts: [
    { text: 'Somebody (we hope it was you) asked for our newsletter at this address.' },
    { button: 'Yes, send me the newsletter', to: `/newsletter-signup?confirm=${token}` },
    {
      small: 'If it wasn’t you, ignore this email. We won’t send the newsletter unless you press the button.',
    },
  ],
})

export const newsletter: EmailTemplate<{ subject: string; parts: readonly Part[]; token: string }> = ({
  subject,
  parts,
  token,
}) => ({ subject, heading: subject, parts, unsubscribe: `/newsletter/unsubscribe/${token}` })

export const newsletterWelcome: EmailTemplate<{ token: string }> = ({ token }, day, shop) => ({
  subject: `You’re on ${shop.name}’s list`,
  heading: 'Thank you for subscribing',
  parts: [
    { text: shop.ofPages.newsletter.words },
    { button: 'See what’s new', to: shop.isOpen('/audiobooks') ? '/audiobooks' : '/ebooks' },
  ],
  unsubscribe: `/newsletter/unsubscribe/${token}`,
})
