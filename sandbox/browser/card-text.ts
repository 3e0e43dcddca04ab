import type { FieldError, FieldType } from './protocol.ts'

export interface Reading {
  readonly text: string
  readonly empty: boolean
  readonly complete: boolean
  /** The error that further typing cannot correct. */
  readonly error: FieldError | undefined
  /** The error if nothing more is typed. */
  readonly unfinished: FieldError | undefined
  readonly brand: string
}

const BRANDS = [
  { brand: 'amex', begins: /^3[47]/, length: 15, groups: /(\d{1,4})(\d{1,6})?(\d{1,5})?/, cvc: 4 },
  { brand: 'visa', begins: /^4/, length: 16, groups: /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/, cvc: 3 },
  {
    brand: 'mastercard',
    begins: /^(?:5[1-5]|2[2-7])/,
    length: 16,
    groups: /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/,
    cvc: 3,
  },
  { brand: 'unknown', begins: /^/, length: 16, groups: /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/, cvc: 3 },
] as const

/**
 * Parses the typed text. `brand` is the brand of the number, which determines the length of the security code. `now`
 * determines which expiry dates are past.
 */
export function readField(type: FieldType, typed: string, brand: string, now: Date): Reading {
  if (type === 'cardNumber') return readNumber(typed)
  if (type === 'cardExpiry') return readExpiry(typed, now)
  return readCvc(typed, brand)
}

function readNumber(typed: string): Reading {
  const digits = typed.replace(/\D/g, '')
  const { brand, length, groups } = BRANDS.find(({ begins }) => begins.test(digits))!
  const number = digits.slice(0, length)
  const isWhole = number.length === length
  const error =
    isWhole && !passesLuhn(number)
      ? { code: 'invalid_number', message: 'Your card number is invalid.' }
      : undefined
  return {
    text: (groups.exec(number) ?? []).slice(1).filter(Boolean).join(' '),
    empty: number === '',
    complete: isWhole && !error,
    error,
    unfinished: isWhole
      ? undefined
      : { code: 'incomplete_number', message: 'Your card number is incomplete.' },
    brand: number === '' ? 'unknown' : brand,
  }
}

function readExpiry(typed: string, now: Date): Reading {
  // A month that cannot have a second digit, or that is followed by a slash, is complete.
  const spread = typed.replace(/^(\d)\s*\//, '0$1').replace(/\D/g, '')
  const digits = (/^[2-9]/.test(spread) ? `0${spread}` : spread).slice(0, 4)
  const [month, year] = [digits.slice(0, 2), digits.slice(2)]
  const isWhole = digits.length === 4
  const error = expiryError(month, isWhole ? 2000 + Number(year) : undefined, now)
  return {
    text:
      year || (month.length === 2 && !typed.endsWith('/') && typed.length > 2) ? `${month} / ${year}` : month,
    empty: digits === '',
    complete: isWhole && !error,
    error,
    unfinished: isWhole
      ? undefined
      : { code: 'incomplete_expiry', message: 'Your card’s expiration date is incomplete.' },
    brand: 'unknown',
  }
}

function expiryError(month: string, year: number | undefined, now: Date): FieldError | undefined {
  if (month.length === 2 && (Number(month) < 1 || Number(month) > 12))
    return { code: 'invalid_expiry_month', message: 'Your card’s expiration date is invalid.' }
  if (year === undefined) return undefined
  if (year < now.getFullYear())
    return { code: 'invalid_expiry_year_past', message: 'Your card’s expiration year is in the past.' }
  if (year > now.getFullYear() + 50)
    return { code: 'invalid_expiry_year', message: 'Your card’s expiration year is invalid.' }
  if (year === now.getFullYear() && Number(month) < now.getMonth() + 1)
    return { code: 'invalid_expiry_month_past', message: 'Your card’s expiration date is in the past.' }
  return undefined
}

function readCvc(typed: string, brand: string): Reading {
  const length = BRANDS.find((each) => each.brand === brand)?.cvc ?? 3
  const text = typed.replace(/\D/g, '').slice(0, length)
  const isWhole = text.length === length
  return {
    text,
    empty: text === '',
    complete: isWhole,
    error: undefined,
    unfinished: isWhole
      ? undefined
      : { code: 'incomplete_cvc', message: 'Your card’s security code is incomplete.' },
    brand: 'unknown',
  }
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (let place = 0; place < number.length; place += 1) {
    const value = Number(number.at(-1 - place)) * (place % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
