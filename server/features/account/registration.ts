import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { candidatesOf, type CodeKeys } from '../../codes/secrets.ts'
import type { Db, Transaction } from '../../db/open.ts'
import { addressKey, countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { Refusal, unprocessable } from '../../http/http-errors.ts'
import { type Accounts, type Tokens, type Visit, openSession } from './sessions.ts'
import { countsEverything, KNOWN_QUESTIONS, REGISTRATIONS, turnOfVisitor } from './limits.ts'
import { hashPassword } from './passwords.ts'
import { refuseGuessablePassword } from './password-strength.ts'
import { mailConfirmation } from './email-tokens.ts'
import { confirmAddress, wasMailedTo } from './email-queries.ts'
import { insertUser, isReservedForAnother, selectCredentials } from './queries.ts'

interface Registration {
  readonly email: string
  /** Absent if a wallet pays, which asks for none: it is chosen later. */
  readonly password?: string
  readonly firstName: string
  readonly lastName?: string
  readonly countryCode: string
  readonly newsletter?: boolean
  /** If the gift email went to this address, the address needs no confirmation. */
  readonly giftToken?: string
}

/**
 * `within` runs in the same transaction: the account takes over the visitor's bag, or neither happens.
 * @throws 422 'already taken'
 */
export async function createAccount(
  accounts: Accounts,
  { password, newsletter = false, giftToken, lastName = '', ...others }: Registration,
  from: Visit,
  within: (tx: Transaction, userId: string) => Promise<void> = async () => undefined,
): Promise<Tokens> {
  const { shop } = accounts
  const { db, config, now } = shop
  const given = { ...others, lastName: lastName.trim() }
  if (countsEverything(config, from.address))
    await countOrRefuse(db, REGISTRATIONS, addressKey(from.address), now())
  if (password !== undefined) await refuseGuessablePassword(password, given, 'password')
  // Check before the costly hash. The unique index decides between concurrent registrations.
  const isKept = (at: Db) => isReservedForAnother(at, given.email, { userId: null, now: now() })
  if ((await selectCredentials(db, given.email)) || (await isKept(db))) throw emailTaken()
  const passwordHash =
    password === undefined ? null : await hashPassword(password, turnOfVisitor(given.email, from.address))
  const firstName = given.firstName.trim()
  const userId = await db.transaction(async (tx) => {
    const id = await insertUser(tx, {
      ...given,
      firstName,
      passwordHash,
      newsletter,
      createdAt: now(),
    })
    if (id === undefined || (await isKept(tx))) throw emailTaken()
    const isProved =
      giftToken !== undefined && (await wasMailedTo(tx, given.email, linkHashes(config, giftToken)))
    if (isProved) await confirmAddress(tx, id, now())
    else
      // Create the account even if strangers used up the address's email limit; the user can request this email again.
      await mailConfirmation(shop, tx, { userId: id, email: given.email, firstName, newsletter }).catch(
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        },
      )
    await within(tx, id)
    return id
  })
  noteSecurity(shop, 'registered', { userId, address: from.address })
  return openSession(accounts, userId, from)
}

/** @throws 429 after a few checks */
export async function isAddressKnown({ shop }: Accounts, email: string, address: string): Promise<boolean> {
  const { db, config, now } = shop
  if (countsEverything(config, address)) await countOrRefuse(db, KNOWN_QUESTIONS, addressKey(address), now())
  if (await selectCredentials(db, email)) return true
  return isReservedForAnother(db, email, { userId: null, now: now() })
}

const linkHashes = (config: CodeKeys, token: string): string[] =>
  (['gift', 'membership_gift'] as const)
    .map((kind) => candidatesOf(config, kind, token))
    .flatMap(({ column, hashes }) => (column === 'token' ? hashes : []))

const emailTaken = () => unprocessable('email', ACCOUNT_MESSAGES.emailAlreadyTaken, 'email_taken')
