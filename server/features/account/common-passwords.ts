import { PASSWORD_LENGTH } from '#contract/limits.ts'
import { dictionary } from '@zxcvbn-ts/language-common'

/** docs/product.md, Accounts. */
const HOW_MANY = 10_000

/** Lower-case, as the list is; the commonest come first in it. Those too short to be chosen count for nothing. */
const COMMONEST: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.min).slice(0, HOW_MANY),
)

/**
 * True for a password among the first that a stranger tries: one of the commonest, whatever its case and the spaces
 * around it, or one character again and again, spaces too.
 */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase().trim()
  return new Set(plain).size <= 1 || COMMONEST.has(plain)
}
