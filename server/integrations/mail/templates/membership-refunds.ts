import type { OwnersDetails } from '../../../settings/owners-details.ts'
import { dayIn, formatPounds, hourIn } from '../../../format.ts'
import type { LetterOf } from '../template.ts'
import type { OfMember } from './membership.ts'

/**
 * The acknowledgement of receipt required by Directive (EU) 2023/2673, Article 11a: the content of the statement, with
 * its date and time. Sent at once, before the withdrawal is carried out.
 */
export const withdrawalReceived: LetterOf<{
  name: string
  contract: string
  /** The part that is withdrawn from; null for the whole contract. */
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
export const membershipWithdrawn: LetterOf<
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

export const membershipRefunded: LetterOf<
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
