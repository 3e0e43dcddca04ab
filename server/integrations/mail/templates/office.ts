import type { EmailTemplate } from '../template.ts'

export const officeInvitation: EmailTemplate<{ token: string; by: string; until: string }> = (
  { token, by, until },
  day,
  { name },
) => ({
  subject: `Come and help run ${name}`,
  heading: 'There’s a desk for you',
  parts: [
    { text: `${by} has invited you to the office of ${name}, where the shop is run.` },
    { button: 'Open the office', to: `/office/welcome#${token}` },
    {
      small: `The link works once, until ${day(until)}. You’ll make a passkey with this computer or your phone; there’s no password. If you don’t know what this is about, ignore this email.`,
    },
  ],
})

export const officeRecoveryUsed: EmailTemplate<{ name: string }> = ({ name: person }, _day, { name }) => ({
  subject: `A recovery code opened the office of ${name}`,
  heading: 'A recovery code was used',
  parts: [
    { text: `${person}, somebody has just signed in to the office with one of your recovery codes.` },
    {
      text: 'If it was you, add a new passkey now. If it wasn’t, ask an owner to sign you out everywhere, and make new codes.',
    },
  ],
})
