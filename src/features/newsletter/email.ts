import { MESSAGES } from '#contract/messages.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The problem of an address, in the words of INFO-04; undefined where there is none. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return MESSAGES.emailRequired
  return ADDRESS.test(email.trim()) ? undefined : MESSAGES.emailMustBeValid
}
