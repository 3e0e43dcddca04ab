import { PASSWORD_LENGTH } from '#contract/limits.ts'
import { dictionary } from '@zxcvbn-ts/language-common'

/** The number is a product decision: docs/product.md, Accounts. */
const HOW_MANY = 10_000

/** Entries below the minimum length do not count towards the 10,000: they cannot be chosen anyway. */
const COMMONEST: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.min).slice(0, HOW_MANY),
)

export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase().trim()
  return new Set(plain).size <= 1 || COMMONEST.has(plain)
}
