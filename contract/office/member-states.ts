/** States of an account's membership in the office's lists: one each. */
export const MEMBER_STATES = ['failing', 'suspended', 'leaving', 'trial', 'gift', 'active', 'lapsed'] as const
export type MemberState = (typeof MEMBER_STATES)[number]

/** What somebody should look at about an account. */
export const PERSON_PROBLEMS = ['payment', 'refund', 'dispute', 'blocked'] as const
export type PersonProblem = (typeof PERSON_PROBLEMS)[number]
