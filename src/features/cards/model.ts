import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'

/** Why a code was refused: unknown, or already redeemed (ERR-21, ERR-22). */
export type Refused = 'unrecognised' | 'redeemed'

/** Undefined if the failure says nothing about the code: too many attempts, no response, an expired session. */
export function refusedAs(problem: unknown): Refused | undefined {
  if (!(problem instanceof NetProblem) || problem.kind !== 'refused') return undefined
  if (problem.status === 429 || problem.status === 401) return undefined
  const unknown = problem.status === 404 || problem.reason === 'card_not_activated'
  return unknown ? 'unrecognised' : 'redeemed'
}

/** The message above the form, which keeps its code. */
export function tryAgainWords(problem: unknown): string {
  if (!(problem instanceof NetProblem)) return MESSAGES.somethingWentWrong
  if (problem.kind === 'offline')
    return 'This needs a connection. Your code is safe here; try again when you’re back.'
  if (problem.status === 429)
    return problem.description || 'That was a lot of tries. Please wait a little and try again.'
  if (problem.status === 401) return 'Please log in again. Your code is safe here.'
  return MESSAGES.somethingWentWrong
}

/** The code without surrounding spaces (RDM-02). */
export const typedCode = (typed: string): string => typed.trim()

/** The code in the address of a card's QR code: after the hash, which browsers send to no server. */
export function codeInHash(hash: string): string {
  const text = hash.replace(/^#/, '').replace(/^code=/, '')
  try {
    const code = decodeURIComponent(text).trim()
    return /^[\dA-Za-z][\dA-Za-z -]{3,63}$/.test(code) ? code : ''
  } catch {
    return ''
  }
}

/** The last parts of addresses, for any card and for one title's; only the sign-up differs (NAV-42). */
const GENERIC = {
  confirmation: 'confirmation',
  login: 'login',
  'sign-up': 'sign-up',
  welcome: 'welcome',
  error: 'error',
} as const
const OF_A_TITLE = { ...GENERIC, 'sign-up': undefined, signup: 'sign-up' } as const
export type Step = 'enter' | (typeof GENERIC)[keyof typeof GENERIC]

export interface Place {
  readonly step: Step
  /** The title's number, or null on the pages for any card. */
  readonly spiSIN: string | null
}

/** Parses the part of an address after `/redemption`. A step takes precedence over a title's number. */
export function placeOf(first: string | undefined, second: string | undefined): Place | undefined {
  if (first === undefined) return { step: 'enter', spiSIN: null }
  const generic = stepIn(GENERIC, first)
  if (generic) return second === undefined ? { step: generic, spiSIN: null } : undefined
  if (!/^[\dA-Za-z]{1,13}$/.test(first) || RESERVED.has(first)) return undefined
  if (second === undefined) return { step: 'enter', spiSIN: first }
  const step = stepIn(OF_A_TITLE, second)
  return step && { step, spiSIN: first }
}

/** Not a title's number: the other spelling of a step. */
const RESERVED = new Set(['signup'])

/** The other spelling of the sign-up redirects to the right one (OP-04). */
export function otherSpelling(first: string | undefined, second: string | undefined): Place | undefined {
  if (first === 'signup') return second === undefined ? { step: 'sign-up', spiSIN: null } : undefined
  if (second !== 'sign-up') return undefined
  return placeOf(first, 'signup')
}

const stepIn = (steps: Readonly<Record<string, Step | undefined>>, name: string): Step | undefined =>
  Object.hasOwn(steps, name) ? steps[name] : undefined

export function addressOf({ step, spiSIN }: Place) {
  const named = step === 'enter' ? undefined : step === 'sign-up' && spiSIN !== null ? 'signup' : step
  const params = spiSIN === null ? { spisin: named, step: undefined } : { spisin: spiSIN, step: named }
  return { to: '/redemption/{-$spisin}/{-$step}', params } as const
}
