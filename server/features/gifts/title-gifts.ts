import type { BusinessTime } from '../../clock.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { type Candidates, newSecrets, printedCode } from '../../codes/secrets.ts'
import { findByCode } from '../../codes/find-by-code.ts'
import type { Db } from '../../db/open.ts'
import { addressKey, countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { coversOf } from '../../integrations/mail/cover-queries.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { cancelMail } from '../../integrations/mail/queries.ts'
import { forbidden, notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { countsEverything } from '../account/limits.ts'
import { publish } from '../feed/service.ts'
import { grantTitle } from '../library/service.ts'
import { deleteEntry } from '../library/queries.ts'
import {
  type Format,
  type GiftOfBook,
  type TitleGiftRow,
  insertTitleGift,
  lockTitleGift,
  lockTitleGiftOfLine,
  selectClaimer,
  selectTitleGift,
  selectTitleGiftBy,
  selectPurchased,
  selectWaitingTitleGifts,
  updateTitleGift,
  insertReplacedTitleLinks,
} from './queries.ts'
import { withoutLinks } from '../../integrations/mail/template.ts'
import { deliveryOf, notYetWords, zoneOf } from '../products/delivery-day.ts'

interface Giving {
  /** Null for a gift from the shop. */
  readonly orderLineId: string | null
  readonly book: { readonly id: number; readonly title: string; readonly format: Format }
  readonly giver: { readonly id: string | null; readonly name: string }
  readonly email: string
  readonly message: string | null
  readonly day?: string | null | undefined
  readonly zone?: string | null | undefined
}

/** Sends it at once, or leaves it to the gift job until its day. Returns the gift's id. */
export async function giveBook(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { orderLineId, book, giver, email, message, day = null, zone = null }: Giving,
): Promise<string> {
  const { secrets, hashes } = newSecrets(shop.config, 'gift')
  const now = shop.clock.now()
  const deliverAt = day === null ? null : deliveryOf(day, zoneOf(zone, shop.config), now)
  const isNow = deliverAt === null || deliverAt <= now
  const id = await insertTitleGift(tx, {
    orderLineId,
    bookId: book.id,
    giverId: giver.id,
    giverName: giver.name,
    email,
    message,
    givenAt: now,
    day,
    zone: day === null ? null : zoneOf(zone, shop.config),
    deliverAt,
    sentAt: isNow ? now : null,
    ...hashes,
  })
  if (!isNow) return id
  const { title, format } = book
  const mailed = { giverId: giver.id, giverName: giver.name, email, message, bookId: book.id, title, format }
  await mailTitleGift(tx, mailed, secrets, `gift_book:${id}`)
  return id
}

/** Its day hasn't come: no email with a link has been sent yet. */
export const isScheduled = ({ deliverAt, sentAt }: Pick<TitleGiftRow, 'deliverAt' | 'sentAt'>): boolean =>
  deliverAt !== null && sentAt === null

/** @returns null if the line has no gift; false if the gift can't be sent now */
export async function sendGiftAgain(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { orderLineId, title }: { orderLineId: string; title: string },
): Promise<boolean | null> {
  const gift = await lockTitleGiftOfLine(tx, orderLineId)
  if (!gift) return null
  if (gift.claimedAt || gift.takenBackAt || gift.revokedAt || isScheduled(gift)) return false
  await mailTitleGiftWithNewLink(tx, shop, gift, title)
  return true
}

interface GiftLine {
  readonly orderLineId: string
  readonly title: string
  readonly dispute?: 'open' | 'won' | 'lost' | undefined
}

/** Emails the recipient why, and again if a dispute is lost later. @returns the account whose library changed */
export async function takeBackGift(tx: Db, line: GiftLine, now: BusinessTime): Promise<string | undefined> {
  const gift = await lockTitleGiftOfLine(tx, line.orderLineId)
  if (gift?.revokedAt && line.dispute === 'lost') await tellRecipient(tx, gift, line, now)
  if (!gift || gift.revokedAt) return undefined
  await updateTitleGift(tx, gift.id, { revokedAt: now })
  if (!gift.claimedAt) await cancelMail(tx, titleGiftMailKey(gift))
  if (gift.entryId) await deleteEntry(tx, gift.entryId)
  return (await tellRecipient(tx, gift, line, now)) ? gift.claimedBy! : undefined
}

/** Returns false for an unclaimed gift, or if the recipient's account is closed. */
async function tellRecipient(
  tx: Db,
  gift: Pick<TitleGiftRow, 'id' | 'claimedBy'>,
  { title, dispute }: GiftLine,
  now: BusinessTime,
): Promise<boolean> {
  const claimer = gift.claimedBy === null ? undefined : await selectClaimer(tx, gift.claimedBy)
  if (!claimer) return false
  await queueMail(tx, {
    to: claimer.email,
    kind: 'gift_withdrawn',
    key: `gift_withdrawn:${gift.id}${dispute ? `:${dispute}:${now.getTime()}` : ''}`,
    data: { title, dispute: dispute ?? null },
  })
  return true
}

/** Returns the account whose library changed. */
export async function restoreGift(tx: Db, line: GiftLine, now: BusinessTime): Promise<string | undefined> {
  const gift = await lockTitleGiftOfLine(tx, line.orderLineId)
  if (!gift?.revokedAt) return undefined
  const { id, bookId, claimedBy } = gift
  const entryId =
    claimedBy && (await grantTitle(tx, { userId: claimedBy, bookId, source: 'gift', addedAt: now }))
  await updateTitleGift(tx, id, { revokedAt: null, entryId })
  if (line.dispute) await tellRecipient(tx, gift, line, now)
  return claimedBy ?? undefined
}

export const NEW_LINK_SENT = 'A new link was sent. Please use the newest email.'

interface Opening {
  readonly format: Format
  readonly token: string
  readonly address: string
}

/** @throws 404 if unknown, 422 if replaced or before its day, 429 after too many wrong guesses */
export async function viewTitleGift(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  { format, token, address }: Opening,
): Promise<GiftOfBook> {
  const found = await findByCode(shop, { kind: 'gift', given: token, address }, (candidates) =>
    selectTitleGiftBy(shop.db, candidates),
  )
  // A code of the other format is not a wrong guess: a code does not show its format.
  if (found?.format !== format) throw notFound()
  const { gift, isReplaced, printedHash } = found
  if (isReplaced || (printedHash !== null && printedHash !== printedCode(shop.config, 'gift', gift).hash))
    throw refused(NEW_LINK_SENT)
  if (isScheduled(gift)) throw refused(notYetWords(gift.day))
  return found
}

export const formatOfGift = async (db: Db, candidates: Candidates): Promise<Format | undefined> =>
  (await selectTitleGiftBy(db, candidates))?.format

export async function giverOfGift(db: Db, id: string): Promise<{ readonly email: string } | undefined> {
  const giverId = (await selectTitleGift(db, id))?.gift.giverId
  return giverId ? selectClaimer(db, giverId) : undefined
}

/** @throws 403 for an account with another address, 422 if it was claimed or the account owns the title */
export async function claimTitleGift(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  opening: Opening,
): Promise<GiftOfBook> {
  const found = await viewTitleGift(shop, opening)
  await claim(shop, userId, found.gift.id, found.gift.edition)
  return found
}

/** Registering another person's address must not give access to their gifts. */
export async function waitingTitleGifts(db: Db, userId: string): Promise<GiftOfBook[]> {
  const account = await selectClaimer(db, userId)
  return account?.confirmedAt ? selectWaitingTitleGifts(db, account.addresses) : []
}

export async function claimWaitingTitle(
  shop: Pick<Shop, 'db' | 'clock'>,
  userId: string,
  giftId: string,
): Promise<GiftOfBook> {
  const [account, found] = await Promise.all([
    selectClaimer(shop.db, userId),
    selectTitleGift(shop.db, giftId),
  ])
  const isTheirs =
    account?.confirmedAt &&
    found &&
    !isScheduled(found.gift) &&
    account.addresses.includes(found.gift.email.toLowerCase())
  if (!isTheirs) throw notFound()
  await claim(shop, userId, giftId, null)
  return (await selectTitleGift(shop.db, giftId))!
}

async function claim(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  userId: string,
  giftId: string,
  edition: number | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const gift = await lockTitleGift(tx, giftId)
    const account = await selectClaimer(tx, userId)
    if (!gift || gift.takenBackAt || gift.revokedAt || !account) throw notFound()
    if (!account.addresses.includes(gift.email.toLowerCase()))
      throw forbidden(ACCOUNT_MESSAGES.emailMustBeSame)
    if (gift.claimedBy === userId) return
    if (gift.claimedAt) throw refused('This gift has already been redeemed')
    if (edition !== null && edition !== gift.edition) throw refused(NEW_LINK_SENT)
    const entryId = await grantTitle(tx, {
      userId,
      bookId: gift.bookId,
      source: 'gift',
      addedAt: clock.now(),
    })
    // The gift stays unclaimed, so that the giver can be informed or refunded.
    if (entryId === null) throw refused(MESSAGES.alreadyHaveBook)
    await updateTitleGift(tx, gift.id, { claimedAt: clock.now(), claimedBy: userId, entryId })
    await mailGiver(tx, gift)
    await publish(tx, userId, { type: 'library' }, clock.now())
  })
}

async function mailGiver(tx: Db, gift: TitleGiftRow): Promise<void> {
  const giver = await giverOfGift(tx, gift.id)
  if (!giver) return
  const { title } = (await selectTitleGift(tx, gift.id))!
  const covers = await coversOf(tx, [gift.bookId])
  await queueMail(tx, {
    to: giver.email,
    kind: 'gift_book_opened',
    key: `gift_book_opened:${gift.id}`,
    data: { title, recipient: gift.email, covers },
  })
}

const OWNER_QUESTIONS: Limit = { name: 'owner question of', most: 10, windowSeconds: 60 }

const OWNER_QUESTIONS_OF_ADDRESS: Limit = { name: 'owner question from', most: 30, windowSeconds: 3600 }

interface OwnerQuestion {
  readonly format: Format
  readonly slugOrId: string
  readonly email: string
  readonly userId: string | null
  readonly address: string
}

/** The answer reveals what a person reads, so its rate is limited for every caller (API-94). */
export async function isPurchased(
  shop: Pick<Shop, 'db' | 'now' | 'config'>,
  { userId, address, ...question }: OwnerQuestion,
): Promise<boolean> {
  await countOwnerQuestion(shop, { userId, address })
  const purchased = await selectPurchased(shop.db, question)
  if (purchased === undefined) throw notFound()
  return purchased
}

/** Call it before the answer is known. The checkout counts its check too: its refusal reveals the same. */
export async function countOwnerQuestion(
  { db, now, config }: Pick<Shop, 'db' | 'now' | 'config'>,
  { userId, address }: Pick<OwnerQuestion, 'userId' | 'address'>,
): Promise<void> {
  await countOrRefuse(db, OWNER_QUESTIONS, userId ?? addressKey(address), now())
  // In demo mode all visitors come from one IP address.
  if (countsEverything(config, address))
    await countOrRefuse(db, OWNER_QUESTIONS_OF_ADDRESS, addressKey(address), now())
}

/** Without clickable links if the giver has no confirmed address: the email carries the shop's name. */
export async function messageFrom(tx: Db, giverId: string | null, message: string): Promise<string> {
  const giver = giverId === null ? undefined : await selectClaimer(tx, giverId)
  return giver?.confirmedAt ? message : withoutLinks(message)
}

export const titleGiftMailKey = ({ id, edition }: Pick<TitleGiftRow, 'id' | 'edition'>): string =>
  edition === 1 ? `gift_book:${id}` : `gift_book:${id}:${edition}`

/** Emails a gift, for the first time or again; a previous link and code stop working. The caller has locked the gift. */
export async function mailTitleGiftWithNewLink(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  gift: TitleGiftRow,
  title: string,
): Promise<void> {
  const { secrets, hashes } = newSecrets(shop.config, 'gift')
  const isFirst = isScheduled(gift)
  if (!isFirst) {
    await insertReplacedTitleLinks(tx, gift.id, [gift.tokenHash, gift.codeHash])
    await cancelMail(tx, titleGiftMailKey(gift))
  }
  const edition = isFirst ? gift.edition : gift.edition + 1
  const sent = await updateTitleGift(tx, gift.id, {
    ...hashes,
    edition,
    sentAt: shop.clock.now(),
    failedAt: null,
  })
  const { format } = (await selectTitleGift(tx, gift.id))!
  await mailTitleGift(tx, { ...sent, title, format }, secrets, titleGiftMailKey(sent))
}

interface MailedGift {
  readonly giverId: string | null
  readonly giverName: string
  readonly email: string
  readonly message: string | null
  readonly bookId: number
  readonly title: string
  readonly format: Format
}

async function mailTitleGift(
  tx: Db,
  { giverId, giverName, email, message, bookId, title, format }: MailedGift,
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
      covers: await coversOf(tx, [bookId]),
      ...secrets,
    },
  })
}
