import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { unprocessable } from '../../http/http-errors.ts'

export interface PasswordOwner {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/** Throws 422 for a password that strangers try first. `field` is what the form calls it. */
export async function refuseCommonPassword(password: string, field: string): Promise<void> {
  // The list is loaded with the first password that somebody chooses.
  const { isCommonPassword } = await import('./common-passwords.ts')
  if (isCommonPassword(password)) throw unprocessable(field, ACCOUNT_MESSAGES.passwordTooCommon)
}

/** The same, and for one's own name or address, however it is spaced and capitalised. */
export async function refuseGuessablePassword(
  password: string,
  owner: PasswordOwner,
  field: string,
): Promise<void> {
  await refuseCommonPassword(password, field)
  const { email, firstName, lastName } = owner
  const [mailbox = ''] = email.split('@')
  const own = [email, mailbox, firstName, lastName, firstName + lastName, lastName + firstName].map(bare)
  const plain = bare(password)
  if (plain !== '' && own.includes(plain)) throw unprocessable(field, ACCOUNT_MESSAGES.passwordIsOwnName)
}

/** Letters and digits only. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
