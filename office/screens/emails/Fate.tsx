import type { UnsentEmail } from '#contract/office/emails.ts'
import { State } from '../../ui/State.tsx'
import { exactly } from '../../ui/when.ts'

export function Fate({ email: { fate, attempts, nextAttemptAt, problem } }: { readonly email: UnsentEmail }) {
  if (fate === 'failed')
    return (
      <State kind="broken">
        Given up{problem === 'unreachable' ? ': no answer' : problem ? `: refused (${problem})` : ''}
      </State>
    )
  if (fate === 'paused') return <State kind="look">Held since the shop was restored</State>
  return (
    <State kind="later">
      {attempts === 0 || nextAttemptAt === null
        ? 'Waiting'
        : `Tried ${attempts} times, again ${exactly(nextAttemptAt)}`}
    </State>
  )
}
