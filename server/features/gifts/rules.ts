import { randomUUID } from 'node:crypto'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { type Candidates, newSecrets } from '../../codes/secrets.ts'
import { findByCode } from '../../codes/find-by-code.ts'
import type { Db } from '../../db/open.ts'
import { addressKey, countOrRefuse, type Limit } from '../../guards/rate-limit.ts'
import { withoutLinks } from '../../outside/mail/plain-names.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import { cancelMail } from '../../outside/mail/rows.ts'
import { forbidden, notFound, refused } from '../../wire/refusals.ts'
import type { Shop } from '../../shop.ts'
import { countsEverything } from '../account/rules.ts'
import { publish } from '../feed/rules.ts'
import { grantTitle, takeBackEntry } from '../library/rules.ts'
import {
  type Format,
  type GiftOfBook,
  insertGift,
  lockGift,
  lockGiftOfLine,
  selectClaimer,
  selectClaims,
  selectGift,
  selectGiftBy,
  selectOwnsByEmail,
  selectPurchased,
  selectWaiting,
  updateGift,
} from './rows.ts'

interface Giving {
  /** Null for one that the shop gives. */
  readonly orderLineId: string | null
  readonly book: { readonly id: number; readonly title: string; readonly format: Format }
  readonly giver: { readonly id: string | null; readonly name: string }
  readonly email: string
  readonly message: string | null
}

/**
 * A giver's message, as it is mailed: to somebody else, under the shop's name. A giver who has not confirmed an
 * address may be anybody, and then nothing in it becomes a link.
 */
export async function messageFrom(tx: Db, giverId: string | null, message: string): Promise<string> {
  const giver = giverId === null ? undefined : await selectClaimer(tx, giverId)
  return giver?.confirmedAt ? message : withoutLinks(message)
}

/** Sends a book on its way, with its mail, in the transaction that pays it. */
export async function giveBook(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { orderLineId, book, giver, email, message }: Giving,
): Promise<string> {
  const { secrets, hashes } = newSecrets(shop.config, 'gift')
  const id = await insertGift(tx, {
    orderLineId,
    bookId: book.id,
    giverId: giver.id,
    giverName: giver.name,
    email,
    message,
    givenAt: shop.clock.now(),
    ...hashes,
  })
  const { title, format } = book
  const mailed = { giverId: giver.id, giverName: giver.name, email, message, title, format }
  await mailGift(tx, mailed, secrets, `gift_book:${id}`)
  return id
}

/**
 * The gift of an order line goes out once more, with a link and a code of its own: those before it open nothing any more.
 *
 * @returns null where there is none, and false for one that was opened
 */
export async function sendGiftAgain(
  tx: Db,
  shop: Pick<Shop, 'config'>,
  { orderLineId, title }: { orderLineId: string; title: string },
): Promise<boolean | null> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  if (!gift) return null
  if (gift.claimedAt || gift.revokedAt) return false
  const { secrets, hashes } = newSecrets(shop.config, 'gift')
  await updateGift(tx, gift.id, hashes)
  await cancelMail(tx, `gift_book:${gift.id}`)
  const format = (await selectGift(tx, gift.id))!.format
  await mailGift(tx, { ...gift, title, format }, secrets, `gift_book:${gift.id}:${randomUUID()}`)
  return true
}

/** A gift as its mail tells of it; undefined for none. */
export const giftOf = (db: Db, id: string): Promise<GiftOfBook | undefined> => selectGift(db, id)

interface MailedGift {
  readonly giverId: string | null
  readonly giverName: string
  readonly email: string
  readonly message: string | null
  readonly title: string
  readonly format: Format
}

async function mailGift(
  tx: Db,
  { giverId, giverName, email, message, title, format }: MailedGift,
  secrets: { readonly token: string; readonly code: string },
  key: string,
): Promise<void> {
  await queueMail(tx, {
    to: email,
    kind: 'gift_book',
    key,
    data: {
      giverName,
      title,
      kind: format === 'audio_book' ? 'audiobook' : 'e-book',
      ...(message === null ? {} : { message: await messageFrom(tx, giverId, message) }),
      email,
      ...secrets,
    },
  })
}

/**
 * The money for an order line went back: its gift opens nothing any more, and leaves the library it came into.
 *
 * @returns the account whose library changed, which the caller tells
 */
export async function takeBackGift(
  tx: Db,
  { orderLineId, title }: { orderLineId: string; title: string },
  now: Date,
): Promise<string | undefined> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  if (!gift || gift.revokedAt) return undefined
  await updateGift(tx, gift.id, { revokedAt: now })
  if (gift.entryId) await takeBackEntry(tx, gift.entryId)
  if (!gift.claimedBy) return undefined
  const claimer = await selectClaimer(tx, gift.claimedBy)
  if (!claimer) return undefined
  await queueMail(tx, {
    to: claimer.email,
    kind: 'gift_withdrawn',
    key: `gift_withdrawn:${gift.id}`,
    data: { title },
  })
  return gift.claimedBy
}

/** Its money did not go back after all: it opens again, or is where it was. */
export async function restoreGift(
  tx: Db,
  { orderLineId }: { orderLineId: string },
  now: Date,
): Promise<string | undefined> {
  const gift = await lockGiftOfLine(tx, orderLineId)
  if (!gift?.revokedAt) return undefined
  const { id, bookId, claimedBy } = gift
  const entryId =
    claimedBy && (await grantTitle(tx, { userId: claimedBy, bookId, source: 'gift', addedAt: now }))
  await updateGift(tx, id, { revokedAt: null, entryId })
  return claimedBy ?? undefined
}

/** When the gifts of these order lines were claimed; a line without a gift is not in it. */
export const claimsOf = (db: Db, orderLineIds: readonly string[]): Promise<Map<string, Date | null>> =>
  selectClaims(db, orderLineIds)

interface Opening {
  readonly format: Format
  readonly token: string
  readonly address: string
}

/**
 * The gift behind a link or a code; changes nothing. Throws 404 for what opens nothing, 429 after too many of those.
 */
export async function seeGift(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  { format, token, address }: Opening,
): Promise<GiftOfBook> {
  const found = await findByCode(shop, { kind: 'gift', given: token, address }, (candidates) =>
    selectGiftBy(shop.db, candidates),
  )
  // A code of the other format is not a guess: codes do not say their format.
  if (found?.format !== format) throw notFound()
  return found
}

/** Of what format the book is that these open; undefined for none. */
export const formatOfGift = async (db: Db, candidates: Candidates): Promise<Format | undefined> =>
  (await selectGiftBy(db, candidates))?.format

/** Claims what a link or a code holds, once. */
export async function claimGift(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  opening: Opening,
): Promise<GiftOfBook> {
  const found = await seeGift(shop, opening)
  await claim(shop, userId, found.gift.id)
  return found
}

/** Gifts for an account's address, once it was confirmed to be theirs: registering it gives nothing away. */
export async function waitingGifts(db: Db, userId: string): Promise<GiftOfBook[]> {
  const account = await selectClaimer(db, userId)
  return account?.confirmedAt ? selectWaiting(db, account.addresses) : []
}

export async function claimWaiting(
  shop: Pick<Shop, 'db' | 'clock'>,
  userId: string,
  giftId: string,
): Promise<GiftOfBook> {
  const [account, found] = await Promise.all([selectClaimer(shop.db, userId), selectGift(shop.db, giftId)])
  const isTheirs = account?.confirmedAt && found && account.addresses.includes(found.gift.email.toLowerCase())
  if (!isTheirs) throw notFound()
  await claim(shop, userId, giftId)
  return (await selectGift(shop.db, giftId))!
}

async function claim(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  userId: string,
  giftId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const gift = await lockGift(tx, giftId)
    const account = await selectClaimer(tx, userId)
    if (!gift || gift.revokedAt || !account) throw notFound()
    if (!account.addresses.includes(gift.email.toLowerCase()))
      throw forbidden(ACCOUNT_MESSAGES.emailMustBeSame)
    if (gift.claimedBy === userId) return
    if (gift.claimedAt) throw refused('This gift has already been redeemed')
    const entryId = await grantTitle(tx, {
      userId,
      bookId: gift.bookId,
      source: 'gift',
      addedAt: clock.now(),
    })
    // It stays unclaimed, so that the giver can be told or repaid.
    if (entryId === null) throw refused(MESSAGES.alreadyHaveBook)
    await updateGift(tx, gift.id, { claimedAt: clock.now(), claimedBy: userId, entryId })
    await publish(tx, userId, { type: 'library' }, clock.now())
  })
}

const OWNER_QUESTIONS: Limit = { name: 'owner question of', most: 10, windowSeconds: 60 }
const OWNER_QUESTIONS_OF_ADDRESS: Limit = { name: 'owner question from', most: 30, windowSeconds: 3600 }

interface OwnerQuestion {
  readonly format: Format
  readonly slugOrId: string
  readonly email: string
  /** Null for a visitor, who buys gifts before registering. */
  readonly userId: string | null
  readonly address: string
}

/** True if the account with an e-mail owns a book. Tells who reads what, so it is limited for everybody (API-94). */
export async function isPurchased(
  shop: Pick<Shop, 'db' | 'now' | 'config'>,
  { userId, address, ...question }: OwnerQuestion,
): Promise<boolean> {
  await countOwnerQuestion(shop, { userId, address })
  const purchased = await selectPurchased(shop.db, question)
  if (purchased === undefined) throw notFound()
  return purchased
}

/**
 * Counts a question whether somebody owns a book, before it is answered either way: here and at the checkout, whose yes
 * and no tell as much. Throws 429.
 */
export async function countOwnerQuestion(
  { db, now, config }: Pick<Shop, 'db' | 'now' | 'config'>,
  { userId, address }: Pick<OwnerQuestion, 'userId' | 'address'>,
): Promise<void> {
  await countOrRefuse(db, OWNER_QUESTIONS, userId ?? addressKey(address), now())
  // In the demo everybody comes from one address.
  if (countsEverything(config, address))
    await countOrRefuse(db, OWNER_QUESTIONS_OF_ADDRESS, addressKey(address), now())
}

/** A person as far as gifts ask: their addresses in lower case, and whether the present one is confirmed. */
export const claimerOf = (db: Db, userId: string) => selectClaimer(db, userId)

/** The same for the shop's own rules, which are asked after somebody logged in and pays. */
export const ownsByEmail = (db: Db, bookId: number, email: string): Promise<boolean> =>
  selectOwnsByEmail(db, bookId, email)
