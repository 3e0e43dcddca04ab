import type { CardActivation } from '#contract/cards.ts'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import { toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'

/** Something, an at sign, a domain with a dot. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Asked of what is typed, and of an empty field only where the shop wants an address (RESL-06, RESL-08). */
export const isBuyerEmail = (email: string, required: boolean): boolean =>
  email.trim() === '' ? !required : ADDRESS.test(email.trim())

/** RESL-09, but for what is on its way. */
export const canActivate = (typed: { code: string; email: string; emailRequired: boolean }): boolean =>
  typed.code.trim() !== '' && isBuyerEmail(typed.email, typed.emailRequired)

/** The outcome for a card, until the next one. */
export type Sold =
  | { readonly kind: 'activated'; readonly activation: CardActivation }
  | { readonly kind: 'already'; readonly activation: CardActivation | null; readonly words: string }
  | {
      readonly kind: 'unknown' | 'elsewhere' | 'closed' | 'offline' | 'refused'
      readonly words: string
      readonly code: string
      /** Scanned after it, and not activated. */
      readonly notYet?: readonly string[]
    }

export function refusalOf(problem: unknown, code: string): Exclude<Sold, { kind: 'activated' }> {
  const words = refusalText(problem)
  if (!(problem instanceof NetProblem)) return { kind: 'refused', words, code }
  if (problem.kind === 'offline') return { kind: 'offline', words, code }
  if (problem.description === CARD_REFUSALS.alreadyActivated)
    return { kind: 'already', activation: null, words }
  if (problem.description === CARD_REFUSALS.ofAnotherBookshop) return { kind: 'elsewhere', words, code }
  if (problem.description === CARD_REFUSALS.bookshopClosed) return { kind: 'closed', words, code }
  return { kind: problem.status === 404 ? 'unknown' : 'refused', words, code }
}

/** ERR-19: the answer's description or message, else what its status means, as words. */
export function refusalText(problem: unknown): string {
  const told = problem instanceof NetProblem ? problem.description || statusText(problem) : ''
  return (told || 'something went wrong').replaceAll('_', ' ').toLowerCase()
}

/** HTTP/2 carries none, so the usual ones. */
const statusText = ({ kind, status }: NetProblem): string =>
  kind === 'offline' ? 'no connection' : (STATUS[status] ?? (status >= 500 ? 'internal server error' : ''))
const STATUS: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  422: 'unprocessable content',
  429: 'too many requests',
}

const TAKE_BACK_SECONDS = 600

/** The seconds in which it can still be taken back; null where it cannot. */
export function secondsToTakeBack({ takeBackUntil }: Pick<CardActivation, 'takeBackUntil'>, nowMs: number) {
  if (takeBackUntil === null) return null
  const left = Math.ceil((Date.parse(takeBackUntil) - nowMs) / 1000)
  return left > 0 ? Math.min(left, TAKE_BACK_SECONDS) : null
}

/** The cards that count: without those taken back. */
export function soldToday(activations: readonly Pick<CardActivation, 'activated' | 'price'>[]) {
  const standing = activations.filter(({ activated }) => activated)
  return { cards: standing.length, minor: standing.reduce((sum, { price }) => sum + toMinor(price), 0) }
}

/** "14:06", on the clock above the till. */
export const timeOf = (iso: string): string => {
  const at = new Date(iso)
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
}
