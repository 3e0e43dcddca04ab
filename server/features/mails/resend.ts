import { randomUUID } from 'node:crypto'
import { givenInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { coversOf } from '../../integrations/mail/cover-queries.ts'
import { HIDDEN, queueMail } from '../../integrations/mail/queue.ts'
import type { MailRow } from '../../integrations/mail/queries.ts'
import type { Shop } from '../../shop.ts'
import { mailProofAgain, proofOf } from '../account/email-tokens.ts'
import { giverOfGift, sendGiftAgain } from '../gifts/title-gifts.ts'
import { giverToken } from '../gifts/giver-actions.ts'
import { sendMembershipGiftOfLineAgain } from '../gifts/membership-gifts.ts'
import { monthsAfter } from '../membership/months.ts'
import { confirmationOf } from '../fulfilment/service.ts'
import { disputeMail, refundMail, titlesLeaving } from '../orders/refunds-and-disputes.ts'
import { wholeOrder } from '../orders/service.ts'
import { renderedMail, type MakeAgain, type Remade, OF_MEMBERSHIPS } from './membership-mails.ts'
import { selectTitleGift, selectMembershipGift } from '../gifts/queries.ts'

const SECRETS = { token: HIDDEN, code: HIDDEN }

/** Null if the subject of the email no longer exists, or if the email was true only on its day. */
export async function remade(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  { kind, key }: Pick<MailRow, 'kind' | 'key'>,
): Promise<Remade | null> {
  const [, id = '', ...more] = key.split(':')
  // The key of a renewal has the provider's id; all other keys have a UUID of ours.
  if (kind !== 'membership_renewed' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null
  const make = Object.hasOwn(MAKE, kind) ? MAKE[kind] : undefined
  return make ? make(db, id, more, config.details.plans) : null
}

const MAKE: Readonly<Record<string, MakeAgain>> = {
  ...OF_MEMBERSHIPS,
  async order_confirmed(db, id) {
    const whole = await wholeOrder(db, id)
    return whole?.order.buyerEmail ? confirmationOf(db, whole.order, whole.lines) : null
  },
  async title_refunded(db, id, [backMinor]) {
    const whole = await wholeOrder(db, id)
    if (!whole?.order.buyerEmail) return null
    const gone = whole.lines.filter(({ refundedAt }) => refundedAt !== null)
    return refundMail(whole.order, gone, Number(backMinor))
  },
  async payment_disputed(db, id, [outcome]) {
    const whole = await wholeOrder(db, id)
    if (!whole?.order.buyerEmail || (outcome !== 'open' && outcome !== 'won' && outcome !== 'lost'))
      return null
    const membership = whole.lines.find(({ sold, gift }) => sold.kind === 'membership' && !gift)
    return disputeMail(whole.order, outcome, {
      titles: titlesLeaving(whole.lines),
      plan: membership?.title ?? null,
    })
  },
  async gift_book(db, id) {
    const found = await selectTitleGift(db, id)
    if (!found) return null
    const { gift, format } = found
    return {
      ...renderedMail(gift.email, 'gift_book', {
        giverName: gift.giverName,
        title: found.title,
        kind: format === 'audio_book' ? 'audiobook' : 'e-book',
        ...(gift.message === null ? {} : { message: gift.message }),
        email: gift.email,
        covers: await coversOf(db, [gift.bookId]),
        ...SECRETS,
      }),
      send: async (tx, shop) =>
        gift.orderLineId !== null &&
        (await sendGiftAgain(tx, shop, { orderLineId: gift.orderLineId, title: found.title })) === true,
    }
  },
  async gift_book_opened(db, id) {
    const [found, giver] = [await selectTitleGift(db, id), await giverOfGift(db, id)]
    return found?.gift.claimedAt && giver
      ? renderedMail(giver.email, 'gift_book_opened', {
          title: found.title,
          recipient: found.gift.email,
          covers: await coversOf(db, [found.gift.bookId]),
        })
      : null
  },
  async gift_book_thanks(db, id) {
    const [found, giver] = [await selectTitleGift(db, id), await giverOfGift(db, id)]
    return found?.gift.thanks && giver
      ? renderedMail(giver.email, 'gift_book_thanks', {
          title: found.title,
          recipient: found.gift.email,
          message: found.gift.thanks,
          covers: await coversOf(db, [found.gift.bookId]),
        })
      : null
  },
  async gift_book_failed(db, id) {
    const [found, giver] = [await selectTitleGift(db, id), await giverOfGift(db, id)]
    return found?.gift.failedAt && giver
      ? renderedMail(giver.email, 'gift_book_failed', {
          title: found.title,
          email: found.gift.email,
          giverToken: HIDDEN,
        })
      : null
  },
  async gift_membership(db, id, _more, plans) {
    const gift = await selectMembershipGift(db, id)
    if (!gift) return null
    const plan = plans[gift.plan]
    const { months, creditsPerMonth } = plan
    return {
      ...renderedMail(gift.email, 'gift_membership', {
        giverName: gift.giverName,
        firstName: gift.firstName,
        plan: givenInWords(plan),
        months,
        creditsPerMonth,
        christmas: gift.christmas,
        ...(gift.message ? { message: gift.message } : {}),
        email: gift.email,
        claimableUntil: monthsAfter(gift.deliverAt, 24).toISOString(),
        waited: null,
        ...SECRETS,
      }),
      send: async (tx, shop) =>
        gift.orderLineId !== null &&
        (await sendMembershipGiftOfLineAgain(tx, shop, gift.orderLineId)) === true,
    }
  },
  confirm_address: (db, id) => ofProof(db, id, 'confirm_address'),
  reset_password: (db, id) => ofProof(db, id, 'reset_password'),
}

async function ofProof(
  db: Db,
  id: string,
  kind: 'confirm_address' | 'reset_password',
): Promise<Remade | null> {
  const proof = await proofOf(db, id)
  if (!proof) return null
  const { userId, email, firstName } = proof
  return {
    ...(kind === 'confirm_address'
      ? renderedMail(email, kind, { firstName, ...SECRETS, newsletter: false })
      : renderedMail(email, kind, { firstName, userId, ...SECRETS })),
    send: (tx, shop) => mailProofAgain(shop, tx, proof),
  }
}

export async function sendAgain(
  shop: Shop,
  row: MailRow,
  { to, kind, data, send }: Remade,
): Promise<boolean> {
  return shop.db.transaction(async (tx) => {
    if (send) return send(tx, shop)
    const key = `${row.key}:${randomUUID()}`
    const mailed = 'giverToken' in data ? { ...data, giverToken: giverTokenOf(shop, row, kind) } : data
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each made with the data of its kind
    await queueMail(tx, { to, kind, key, data: mailed as never })
    return true
  })
}

function giverTokenOf({ config }: Pick<Shop, 'config'>, { key }: MailRow, kind: string): string {
  const [, id = ''] = key.split(':')
  return giverToken(config, { kind: kind.startsWith('gift_book') ? 'book' : 'membership', id })
}
