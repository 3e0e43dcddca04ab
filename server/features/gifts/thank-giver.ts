import { givenInWords } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { notFound, refused, unprocessable } from '../../http/http-errors.ts'
import { coversOf } from '../../integrations/mail/cover-queries.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { withoutLinks } from '../../integrations/mail/template.ts'
import type { Shop } from '../../shop.ts'
import {
  type GiftOfBook,
  lockMembershipGift,
  lockTitleGift,
  type MembershipGiftRow,
  selectClaimer,
  selectTitleGift,
  updateMembershipGift,
  updateTitleGift,
} from './queries.ts'
import { giverOfGift } from './title-gifts.ts'

/** @throws 404 unless the caller has claimed the gift, 422 as in the contract */
export async function thankForTitle(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  userId: string,
  id: string,
  message: string,
): Promise<GiftOfBook> {
  await db.transaction(async (tx) => {
    const gift = await lockTitleGift(tx, id)
    const giver = await giverOfGift(tx, id)
    const thanks = await thanksOf(tx, gift, giver?.email ?? null, { userId, message, now: clock.now() })
    await updateTitleGift(tx, id, thanks)
    const { title } = (await selectTitleGift(tx, id))!
    await queueMail(tx, {
      to: giver!.email,
      kind: 'gift_book_thanks',
      key: `gift_book_thanks:${id}`,
      data: {
        title,
        recipient: gift!.email,
        message: thanks.thanks,
        covers: await coversOf(tx, [gift!.bookId]),
      },
    })
  })
  return (await selectTitleGift(db, id))!
}

/** @throws 404 unless the caller has claimed the gift, 422 as in the contract */
export const thankForMembership = (
  { db, clock, config }: Pick<Shop, 'db' | 'clock' | 'config'>,
  userId: string,
  id: string,
  message: string,
): Promise<MembershipGiftRow> =>
  db.transaction(async (tx) => {
    const gift = await lockMembershipGift(tx, id)
    const giverEmail = gift?.giverEmail ?? null
    const thanks = await thanksOf(tx, gift, giverEmail, { userId, message, now: clock.now() })
    const thanked = await updateMembershipGift(tx, id, thanks)
    await queueMail(tx, {
      to: giverEmail!,
      kind: 'gift_membership_thanks',
      key: `gift_membership_thanks:${id}`,
      data: {
        giverName: thanked.giverName,
        plan: givenInWords(config.details.plans[thanked.plan]),
        recipient: thanked.firstName ?? thanked.email,
        message: thanks.thanks,
      },
    })
    return thanked
  })

interface Thanking {
  readonly userId: string
  readonly message: string
  readonly now: BusinessTime
}

/** The caller has locked the gift. An email with the shop's name goes out, so the line must not carry a link. */
async function thanksOf(
  tx: Db,
  gift: { readonly claimedBy: string | null; readonly thankedAt: Date | null } | undefined,
  giverEmail: string | null,
  { userId, message, now }: Thanking,
): Promise<{ thanks: string; thankedAt: BusinessTime }> {
  if (gift?.claimedBy !== userId) throw notFound()
  if (gift.thankedAt) throw refused('You’ve already said thank you for this gift.')
  if (giverEmail === null) throw refused('The giver has closed their account, so we can’t pass this on.')
  const account = await selectClaimer(tx, userId)
  if (!account?.confirmedAt) throw refused('Please confirm your email address first.')
  const line = message.trim().replaceAll(/\s+/g, ' ')
  if (withoutLinks(line) !== line)
    throw unprocessable('message', 'Please write it without links or addresses.')
  return { thanks: line, thankedAt: now }
}
