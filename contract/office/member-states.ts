/** States of an account's membership in the office's lists: one each. */
export const MEMBER_STATES = ['failing', 'suspended', 'leaving', 'trial', 'gift', 'active', 'lapsed'] as const
export type MemberState = (typeof MEMBER_STATES)[number]

/** Problems of an account that staff should look at. */
export const PERSON_PROBLEMS = ['payment', 'refund', 'dispute', 'blocked'] as const
export type PersonProblem = (typeof PERSON_PROBLEMS)[number]
