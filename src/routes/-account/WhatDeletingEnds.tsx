import type { ClosingOutcome, Deletion } from '#contract/account-deletion.ts'
import { planInWords } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { amount, toMinor } from '#format/money.ts'

/** Memberships that end with the account, and their refunds. */
export function WhatDeletingEnds({ deletion }: { deletion: Deletion }) {
  const { memberships, freeAudiobooks } = deletion
  return (
    <>
      {memberships.map(({ plan, gift, trial, outcome }) => (
        <p key={`${plan} ${gift}`}>
          {trial ? 'Your free trial' : gift ? 'The membership you were given' : 'Your membership'} (
          {planInWords(plans()[plan])}) ends at once. {WHY[outcome]}
        </p>
      ))}
      {freeAudiobooks > 0 && (
        <p>
          {freeAudiobooks === 1
            ? 'The free audiobook you haven’t chosen goes with it.'
            : `The ${freeAudiobooks} free audiobooks you haven’t chosen go with it.`}
        </p>
      )}
      {deletion.amount > 0 && (
        <p>
          <b>{amount(toMinor(deletion.amount))} goes back to where it came from</b>, within a few days.
        </p>
      )}
    </>
  )
}

const WHY: Record<ClosingOutcome, string> = {
  back: '',
  to_giver: 'The person who gave it to you gets their money back.',
  nothing_left: 'There’s nothing left to pay back: you’ve already chosen this month’s free audiobooks.',
  too_late: 'The 14 days to withdraw from it are over, so there’s no refund.',
  disputed:
    'Your bank is still looking into a payment for it, so we can’t refund it. If you’d like to withdraw, please wait for the bank’s decision.',
  no_charge: 'You won’t be charged for it.',
}
