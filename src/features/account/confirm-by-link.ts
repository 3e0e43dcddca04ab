import { NetProblem } from '#net/problem.ts'
import { confirmAddress } from './mutations.ts'

/** The outcome of a mailed link. `ask`: it needs the password, since nobody who made the account is in here. */
export type LinkOutcome = 'confirmed' | 'ask' | 'failed'

/** Uses a link as soon as its page is open. Never throws. */
export async function confirmByLink(token: string): Promise<LinkOutcome> {
  try {
    await confirmAddress(token)
    return 'confirmed'
  } catch (problem) {
    const isAsked =
      problem instanceof NetProblem &&
      problem.violations.some(({ propertyPath }) => propertyPath === 'password')
    return isAsked ? 'ask' : 'failed'
  }
}
