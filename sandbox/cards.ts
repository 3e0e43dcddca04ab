/** Stripe's published test cards: the bank's answer to each. */
export interface Card {
  readonly brand: 'visa' | 'mastercard' | 'amex'
  readonly funding: 'credit' | 'debit'
  readonly country: string
  /** Refuses every charge. The card cannot be stored either, unless `attaches` is set. */
  readonly refusal?: Refusal
  /** The card can be stored although every charge is refused. */
  readonly attaches?: boolean
  /** The bank requires authentication: for every payment, or until it was set up once. */
  readonly authentication?: 'always' | 'unless-set-up'
  readonly disputed?: boolean
}

export interface Refusal {
  readonly code: string
  readonly declineCode: string | null
  readonly message: string
}

export const declined = (declineCode: string, message = 'Your card was declined.'): Refusal => ({
  code: 'card_declined',
  declineCode,
  message,
})
const faulty = (code: string, message: string): Refusal => ({ code, declineCode: null, message })

const visa = { brand: 'visa', funding: 'credit', country: 'US' } as const satisfies Card
const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.')
export const expired = faulty('expired_card', 'Your card has expired.')

const CARDS: Readonly<Record<string, Card>> = {
  '4242424242424242': visa,
  '4000056655665556': { ...visa, funding: 'debit' },
  '4000008260000000': { ...visa, country: 'GB' },
  '5555555555554444': { ...visa, brand: 'mastercard' },
  '5200828282828210': { ...visa, brand: 'mastercard', funding: 'debit' },
  '378282246310005': { ...visa, brand: 'amex' },
  '4000000000000002': { ...visa, refusal: declined('generic_decline') },
  '4000000000009995': { ...visa, refusal: insufficientFunds },
  '4000000000009987': { ...visa, refusal: declined('lost_card') },
  '4000000000009979': { ...visa, refusal: declined('stolen_card') },
  '4000000000000069': { ...visa, refusal: expired },
  '4000000000000127': {
    ...visa,
    refusal: faulty('incorrect_cvc', "Your card's security code is incorrect."),
  },
  '4000000000000119': {
    ...visa,
    refusal: faulty(
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
  },
  '4000000000000341': { ...visa, refusal: declined('generic_decline'), attaches: true },
  '4000002500003155': { ...visa, authentication: 'unless-set-up' },
  '4000002760003184': { ...visa, authentication: 'always' },
  '4000000000003220': { ...visa, authentication: 'always' },
  '4000008260003178': { ...visa, authentication: 'always', refusal: insufficientFunds },
  '4000008400001629': { ...visa, authentication: 'always', refusal: declined('generic_decline') },
  '4000000000000259': { ...visa, disputed: true },
}

/** Names of cards with which a server never handles a number. */
const NAMED: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_createDispute: '4000000000000259',
}

/** Undefined for a number that is not a test card; Stripe's test mode accepts no other numbers. */
export const cardOf = (number: string): Card | undefined => CARDS[number]

export const numberOfName = (paymentMethod: string): string | undefined => NAMED[paymentMethod]

export function isLuhn(number: string): boolean {
  const sum = number
    .split('')
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}
