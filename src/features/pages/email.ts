import { MESSAGES } from '#contract/messages.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** What is wrong with an address, in the specification's words; undefined where nothing is (INFO-04). */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return MESSAGES.emailRequired
  return ADDRESS.test(email.trim()) ? undefined : MESSAGES.emailMustBeValid
}
