import { MESSAGES } from '#contract/messages.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** What is wrong with an address, in the words of INFO-04; undefined where nothing is. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return MESSAGES.emailRequired
  return ADDRESS.test(email.trim()) ? undefined : MESSAGES.emailMustBeValid
}
