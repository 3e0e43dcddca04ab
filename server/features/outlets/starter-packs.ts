import type { StarterPackWish } from '#contract/outlets.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { withoutLinks } from '../../integrations/mail/template.ts'
import { addressKey, countHit, countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import type { Shop } from '../../shop.ts'
import { settingsOf } from '../pages/service.ts'
import { insertPackRequest } from './queries.ts'

/** Far more than one bookshop sends. */
const FROM_ONE_PLACE: Limit = { name: 'starter pack from', most: 20, windowSeconds: 3600 }
/** Further requests are on the to-do list only, so that strangers can't fill the owner's mailbox. */
const TO_OWNER: Limit = { name: 'starter pack mail to', most: 20, windowSeconds: 86_400 }

/** @throws 429 after too many requests from one network or emails to one address */
export async function askForStarterPack(
  { db, config, now }: Pick<Shop, 'db' | 'config' | 'now'>,
  wish: StarterPackWish,
  network: string,
): Promise<void> {
  await countOrRefuse(db, FROM_ONE_PLACE, addressKey(network), now())
  const request = {
    shopName: wish.shop.trim(),
    contact: wish.name.trim(),
    email: wish.email.trim().toLowerCase(),
    town: wish.town.trim(),
    packs: wish.packs,
  }
  const { bookshopMail } = await settingsOf(db, config)
  await db.transaction(async (tx) => {
    const id = await insertPackRequest(tx, { ...request, askedAt: now() })
    if (id === undefined) return
    const data = {
      shopName: withoutLinks(request.shopName),
      town: withoutLinks(request.town),
      packs: request.packs,
      bookshopMail,
    }
    await queueUnasked(
      tx,
      { to: request.email, kind: 'starter_pack_received', key: `starter_pack_received:${id}`, data },
      now(),
    )
    const { hits } = await countHit(tx, TO_OWNER, bookshopMail, now())
    if (hits > TO_OWNER.most) return
    await queueMail(tx, {
      to: bookshopMail,
      kind: 'starter_pack_asked',
      key: `starter_pack_asked:${id}`,
      data: { ...data, contact: withoutLinks(request.contact), email: request.email, id: id.slice(0, 8) },
    })
  })
}
