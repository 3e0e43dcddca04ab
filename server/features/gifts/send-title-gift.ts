import { newSecrets } from '../../codes/secrets.ts'
import type { Db } from '../../db/open.ts'
import { withoutLinks } from '../../integrations/mail/template.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { cancelMail } from '../../integrations/mail/queries.ts'
import type { Shop } from '../../shop.ts'
import {
  type Format,
  type GiftRow,
  insertReplaced,
  selectClaimer,
  selectGift,
  updateGift,
} from './title-gift-queries.ts'

/**
 * The giver's message for the email to the recipient. The email carries the shop's name, so the message of a giver
 * without a confirmed address is sent without clickable links.
 */
export async function messageFrom(tx: Db, giverId: string | null, message: string): Promise<string> {
  const giver = giverId === null ? undefined : await selectClaimer(tx, giverId)
  return giver?.confirmedAt ? message : withoutLinks(message)
}

export const titleGiftMailKey = ({ id, edition }: Pick<GiftRow, 'id' | 'edition'>): string =>
  edition === 1 ? `gift_book:${id}` : `gift_book:${id}:${edition}`

/** Emails a gift again; the previous link and code stop working. The caller has locked the gift. */
export async function mailTitleGiftWithNewLink(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  gift: GiftRow,
  title: string,
): Promise<void> {
  const { secrets, hashes } = newSecrets(shop.config, 'gift')
  await insertReplaced(tx, gift.id, [gift.tokenHash, gift.codeHash])
  await cancelMail(tx, titleGiftMailKey(gift))
  const edition = gift.edition + 1
  const sent = await updateGift(tx, gift.id, { ...hashes, edition, sentAt: shop.clock.now(), failedAt: null })
  const { format } = (await selectGift(tx, gift.id))!
  await mailTitleGift(tx, { ...sent, title, format }, secrets, titleGiftMailKey(sent))
}

interface MailedGift {
  readonly giverId: string | null
  readonly giverName: string
  readonly email: string
  readonly message: string | null
  readonly title: string
  readonly format: Format
}

export async function mailTitleGift(
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
