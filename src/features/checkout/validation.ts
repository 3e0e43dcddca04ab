import { NAME_LENGTH, PASSWORD_LENGTH, isEmailAddress } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'

export interface PaymentDetails {
  email: string
  firstName: string
  lastName: string
  password: string
  countryCode: string
  cardholder: string
  waiver: boolean
  withAccount: boolean
  saveCard: boolean
}

export interface Needed {
  /** Not logged in: needs name and email address, and usually creates an account (PAY-04). */
  readonly person: boolean
  readonly card: boolean
  /** Something is paid, so the right to cancel it is waived (docs/product.md, Bag and checkout). */
  readonly waiver: boolean
}

export const PASSWORD_TOO_SHORT = `Password must be at least ${PASSWORD_LENGTH.min} characters long`
const PASSWORD_TOO_LONG = `Password must be less than ${PASSWORD_LENGTH.max} characters long`

export function problemsOf(
  details: PaymentDetails,
  needed: Needed,
): Partial<Record<keyof PaymentDetails, string>> {
  const problems: Partial<Record<keyof PaymentDetails, string>> = {}
  const say = (field: keyof PaymentDetails, words: string | undefined) => {
    if (words) problems[field] = words
  }
  if (needed.person) {
    say('email', emailProblem(details.email))
    say('firstName', nameProblem(details.firstName, 'Your first name'))
    say('lastName', nameProblem(details.lastName, 'Your last name'))
    if (details.withAccount) say('password', passwordProblem(details.password))
    say('countryCode', details.countryCode === '' ? 'Choose your country' : undefined)
  }
  if (needed.card) say('cardholder', nameProblem(details.cardholder, 'The name on the card'))
  if (needed.waiver && !details.waiver) say('waiver', 'Please tick this, so that we can deliver at once')
  return problems
}

const emailProblem = (email: string) =>
  isEmailAddress(email) && email.trim().length <= 254 ? undefined : MESSAGES.invalidEmail

/** PAY-14; the upper limit is the account's. */
function nameProblem(name: string, whose: string): string | undefined {
  const length = Array.from(name.trim()).length
  if (length < 2) return `${whose} must be longer than 1 character`
  if (length > NAME_LENGTH) return `${whose} must be ${NAME_LENGTH} characters or fewer`
  return /[<>@]|:\/\/|www\./.test(name)
    ? `${whose} can’t hold a web address, an email address, or < and >`
    : undefined
}

/** PAY-15; the upper limit is the account's. Counts characters, not UTF-16 units. */
function passwordProblem(password: string): string | undefined {
  const length = Array.from(password).length
  if (length < PASSWORD_LENGTH.min) return PASSWORD_TOO_SHORT
  return length > PASSWORD_LENGTH.max ? PASSWORD_TOO_LONG : undefined
}

export const FIELDS = [
  'email',
  'firstName',
  'lastName',
  'password',
  'countryCode',
  'cardholder',
  'waiver',
] as const satisfies readonly (keyof PaymentDetails)[]

const CALLED: Readonly<Record<(typeof FIELDS)[number], string>> = {
  email: 'your email',
  firstName: 'your first name',
  lastName: 'your last name',
  password: 'your password',
  countryCode: 'your country',
  cardholder: 'the name on your card',
  waiver: 'the box above this button',
}

export function firstToMend(
  details: PaymentDetails,
  needed: Needed,
): { readonly field: (typeof FIELDS)[number]; readonly words: string } | undefined {
  const problems = problemsOf(details, needed)
  const field = FIELDS.find((name) => problems[name])
  if (!field) return undefined
  const isEmpty = String(details[field]).trim() === ''
  const verb =
    field === 'waiver' ? 'Tick' : field === 'countryCode' ? 'Choose' : isEmpty ? 'Fill in' : 'Check'
  return { field, words: `${verb} ${CALLED[field]} first.` }
}

/** Maps the server's violations to the form's fields; drops those that match no field. */
export function fieldsOf(
  violations: readonly { readonly propertyPath: string; readonly message: string }[],
): Partial<Record<keyof PaymentDetails, string>> {
  const known = violations.filter(({ propertyPath }) => propertyPath in CALLED)
  return Object.fromEntries(known.map(({ propertyPath, message }) => [propertyPath, message]))
}
