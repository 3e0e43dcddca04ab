import { formatPounds } from '../../../format.ts'
import type { LetterOf } from '../letter.ts'
import type { OfMember } from './membership.ts'

export const membershipWithdrawn: LetterOf<OfMember & { amountMinor: number }> = ({
  firstName,
  plan,
  amountMinor,
}) => ({
  subject: 'You’ve withdrawn from your membership',
  heading: 'Your money is on its way back',
  parts: [
    {
      text: `Hello ${firstName}, your membership (${plan}) has ended. We’re sending ${formatPounds(amountMinor)} back to where it came from. What you took into your library stays there.`,
    },
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
