import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'

/**
 * The words of a form when its call failed. `refused` is what a 4xx means there; too many tries say how long to
 * wait, and everything else keeps what was typed.
 */
export function refusalWords(problem: unknown, refused: string | ((description: string) => string)): string {
  if (!(problem instanceof NetProblem)) return MESSAGES.somethingWentWrong
  if (problem.kind === 'offline') return 'This needs a connection. Check yours and try again.'
  if (problem.status === 429) return problem.description
  if (problem.kind === 'refused') return typeof refused === 'string' ? refused : refused(problem.description)
  return MESSAGES.somethingWentWrong
}

/** A registration that the shop refused (ERR-26, ERR-27, ERR-29). */
export const registrationRefused = (description: string): string =>
  description.includes('already taken') ? ACCOUNT_MESSAGES.emailAlreadyExists : MESSAGES.somethingWentWrong
