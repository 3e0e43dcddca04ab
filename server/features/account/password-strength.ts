import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { unprocessable } from '../../http/http-errors.ts'

interface PasswordOwner {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/** @throws 422 for a common password, for the form's field `field` */
export async function refuseCommonPassword(password: string, field: string): Promise<void> {
  // Loads the list only when the first password is set.
  const { isCommonPassword } = await import('./common-passwords.ts')
  if (isCommonPassword(password)) throw unprocessable(field, ACCOUNT_MESSAGES.passwordTooCommon)
}

/** @throws 422 for a common password, and for the user's name or address, ignoring case, spaces and punctuation */
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

const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
