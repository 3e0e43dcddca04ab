import { isEmailAddress } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'

/** The problem of an address, in the words of INFO-04; undefined where there is none. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return MESSAGES.emailRequired
  return isEmailAddress(email) ? undefined : MESSAGES.emailMustBeValid
}
