import { PRODUCT } from '#contract/limits.ts'
import type { LetterOf } from '../letter.ts'

export interface Proof {
  readonly firstName: string
  readonly token: string
  readonly code: string
}

export const confirmAddress: LetterOf<Proof> = ({ firstName, token, code }) => ({
  subject: `Confirm your address for ${PRODUCT}`,
  heading: `Welcome, ${firstName}`,
  parts: [
    { text: 'Please confirm that this address is yours. You can listen, read and buy in the meantime.' },
    { button: 'Confirm my address', to: `/confirm/${token}` },
    { code, label: `In the installed app, type this code under Settings instead:` },
    { small: 'The link and the code hold for 24 hours. If you did not sign up, ignore this mail.' },
  ],
})

export const resetPassword: LetterOf<Proof & { userId: string }> = ({ firstName, userId, token, code }) => ({
  subject: `Choose a new password for ${PRODUCT}`,
  heading: 'Choose a new password',
  parts: [
    { text: `Hello ${firstName}, somebody asked for a new password for your account.` },
    { button: 'Choose a new password', to: `/reset-password/${userId}?token=${token}` },
    { code, label: 'Or type this code where you asked for it:' },
    {
      small: `The link and the code hold for one hour and work once. If it was not you, ignore this mail: your password stays as it is.`,
    },
  ],
})

export const passwordChanged: LetterOf<{ firstName: string }> = ({ firstName }) => ({
  subject: `Your ${PRODUCT} password was changed`,
  heading: 'Your password was changed',
  parts: [
    {
      text: `Hello ${firstName}, your password has just been changed, and your other devices were logged out.`,
    },
    { text: 'If it was not you, choose a new password at once.' },
    { button: 'I did not do this', to: '/forgot-password' },
  ],
})

export const accountDeleted: LetterOf<{ firstName: string }> = ({ firstName }) => ({
  subject: `Your ${PRODUCT} account is deleted`,
  heading: `Goodbye, ${firstName}`,
  parts: [
    { text: 'Your account, your library and your places are deleted.' },
    {
      small:
        'Orders are kept without your name, because the law asks for the figures. If you did not do this, please write to us.',
    },
    { button: 'Get in touch', to: '/info/support' },
  ],
})

export const newsletterWelcome: LetterOf<{ token: string }> = ({ token }) => ({
  subject: `You are on ${PRODUCT}’s list`,
  heading: 'Thank you for subscribing',
  parts: [
    { text: 'New voices, new titles and what we read between them: now and then, never more.' },
    { button: 'See what is new', to: '/audiobooks' },
  ],
  unsubscribe: `/newsletter/unsubscribe/${token}`,
})
