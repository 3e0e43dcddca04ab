import type { MemberState, PersonProblem } from '#contract/office/member-states.ts'
import { State, type StateKind } from '../../ui/State.tsx'

export const MEMBER_WORDS: Readonly<
  Record<MemberState, { readonly kind: StateKind; readonly words: string }>
> = {
  failing: { kind: 'broken', words: 'Payment failing' },
  suspended: { kind: 'look', words: 'Suspended by a dispute' },
  leaving: { kind: 'back', words: 'Leaving' },
  trial: { kind: 'later', words: 'Trial' },
  gift: { kind: 'later', words: 'A gift' },
  active: { kind: 'on', words: 'Active' },
  lapsed: { kind: 'retired', words: 'Over' },
}

export function MemberStateMark({ state }: { readonly state: MemberState }) {
  const { kind, words } = MEMBER_WORDS[state]
  return <State kind={kind}>{words}</State>
}

export const PROBLEM_WORDS: Readonly<Record<PersonProblem, string>> = {
  payment: 'Payment failing',
  refund: 'Refund refused',
  dispute: 'Disputed at the bank',
  blocked: 'Blocked',
}
