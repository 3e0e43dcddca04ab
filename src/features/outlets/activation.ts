import { isEmailAddress } from '#contract/limits.ts'
import type { CardActivation } from '#contract/cards.ts'
import { amount, toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { dayAndMonth } from '#format/date.ts'

/** An empty address is valid unless the bookshop requires one (RESL-06, RESL-08). */
export const isBuyerEmail = (email: string, required: boolean): boolean =>
  email.trim() === '' ? !required : isEmailAddress(email)

/** RESL-09. */
export const canActivate = (typed: { code: string; email: string; emailRequired: boolean }): boolean =>
  typed.code.trim() !== '' && isBuyerEmail(typed.email, typed.emailRequired)

export type Sold =
  | { readonly kind: 'activated'; readonly activation: CardActivation }
  | { readonly kind: 'already'; readonly activation: CardActivation | null; readonly words: string }
  | {
      readonly kind: 'unknown' | 'elsewhere' | 'closed' | 'offline' | 'refused'
      readonly words: string
      readonly code: string
      /** Codes that were scanned after it, and are not activated. */
      readonly notYet?: readonly string[]
    }

export function refusalOf(problem: unknown, code: string): Exclude<Sold, { kind: 'activated' }> {
  const words = refusalText(problem)
  if (!(problem instanceof NetProblem)) return { kind: 'refused', words, code }
  if (problem.kind === 'offline') return { kind: 'offline', words, code }
  if (problem.reason === 'card_already_activated') return { kind: 'already', activation: null, words }
  if (problem.reason === 'card_of_another_bookshop') return { kind: 'elsewhere', words, code }
  if (problem.reason === 'bookshop_closed') return { kind: 'closed', words, code }
  return { kind: problem.status === 404 ? 'unknown' : 'refused', words, code }
}

/** ERR-19: the problem's description, or else the meaning of its status. */
export function refusalText(problem: unknown): string {
  const told = problem instanceof NetProblem ? problem.description || statusText(problem) : ''
  return (told || 'something went wrong').replaceAll('_', ' ').toLowerCase()
}

/** HTTP/2 has no reason phrases. */
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

/** The remaining seconds for taking it back, or null. */
export function secondsToTakeBack({ takeBackUntil }: Pick<CardActivation, 'takeBackUntil'>, nowMs: number) {
  if (takeBackUntil === null) return null
  const left = Math.ceil((Date.parse(takeBackUntil) - nowMs) / 1000)
  return left > 0 ? Math.min(left, TAKE_BACK_SECONDS) : null
}

/** Today's sales without the cards that were taken back. */
export function soldToday(activations: readonly Pick<CardActivation, 'activated' | 'price'>[]) {
  const active = activations.filter(({ activated }) => activated)
  return { cards: active.length, minor: active.reduce((sum, { price }) => sum + toMinor(price), 0) }
}

/** "14:06", in the device's time zone. */
export const timeOf = (iso: string): string => {
  const at = new Date(iso)
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
}

type Refused = Exclude<Sold, { kind: 'activated' }>

export const ACTIVATED = 'The card has been activated.'

export const priceOf = ({ price }: Pick<CardActivation, 'price'>): string => amount(toMinor(price))

export function headingOf({ kind }: Refused): string {
  if (kind === 'already') return 'Already activated'
  if (kind === 'unknown') return 'Not recognised'
  if (kind === 'elsewhere') return 'Another bookshop’s card'
  if (kind === 'closed') return 'This bookshop is closed'
  return kind === 'offline' ? 'No connection' : 'That didn’t work'
}

export function explanationOf(refused: Refused): string {
  switch (refused.kind) {
    case 'already':
      return `${whenActivated(refused.activation)}It’s been counted once and is ready to hand over.`
    case 'unknown':
      return 'Please check for typos and try again. Nothing has been sold.'
    case 'elsewhere':
      return 'It was sent to, or sold by, somebody else. Nothing has been sold here.'
    case 'closed':
      return 'It can’t sell cards any more. Nothing has been sold; the cards it sold before stay good.'
    case 'offline':
      return 'Cards can’t be activated without one, and nothing waits to be sent. The code is still here: press Activate card once you’re back.'
    default:
      return 'Nothing has been sold. The code is still here; please try again in a moment.'
  }
}

/** "The Salt Ledger, here at 14:06 today. " */
function whenActivated(activation: CardActivation | null): string {
  if (!activation) return ''
  const { audioBook, activatedAt } = activation
  const today = new Date(activatedAt).toDateString() === new Date().toDateString()
  const day = today ? 'today' : `on ${dayAndMonth(activatedAt)}`
  return `${audioBook.title}, here at ${timeOf(activatedAt)} ${day}. `
}

/** For screen readers, without the seconds left, which change. */
export function spokenResult(sold: Sold): string {
  if (sold.kind !== 'activated')
    return [`${headingOf(sold)}. ${explanationOf(sold)}`, notYetWords(sold)].filter(Boolean).join(' ')
  const { audioBook, ending } = sold.activation
  return `${ACTIVATED} ${audioBook.title}, ${priceOf(sold.activation)}. It ends ${ending}.`
}

/** Names the cards that have to be scanned again. */
export function notYetWords(refused: Refused): string {
  const codes = ('notYet' in refused && refused.notYet) || []
  return codes.length === 0 ? '' : `Not activated either, so scan again: ${codes.join(', ')}.`
}
