import type { CardActivation } from '#contract/cards.ts'
import { dayAndMonth } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { timeOf, type Sold } from './activation.ts'

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

/** The words that are read aloud; the time that is left never is. */
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
