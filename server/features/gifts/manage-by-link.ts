import type { GivenByLink } from '#contract/given-gifts.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  correctGivenTitle,
  oneTitleGivenBy,
  sendGivenTitleAgain,
  type MembershipCorrection,
  correctGivenMembership,
  oneMembershipGivenBy,
  sendGivenMembershipAgain,
} from './given-gifts.ts'
import { giftOfToken, type LinkedGift } from './giver-actions.ts'
import { givenTitleView, givenMembershipView } from './serializers.ts'

type GiftShop = Pick<Shop, 'db' | 'config' | 'now' | 'clock'>

export function giftOfLink({ config }: Pick<Shop, 'config'>, token: string): LinkedGift {
  const gift = giftOfToken(config, token)
  if (!gift) throw notFound()
  return gift
}

export async function seeByLink(shop: GiftShop, { kind, id }: LinkedGift): Promise<GivenByLink> {
  const isBook = kind === 'book'
  return {
    '@id': `/api/gifts/given-by-link/${id}`,
    '@type': 'GivenByLink',
    title: isBook ? givenTitleView(await oneTitleGivenBy(shop, 'link', id)) : null,
    membership: isBook ? null : givenMembershipView(await oneMembershipGivenBy(shop, 'link', id)),
  }
}

export async function correctByLink(
  shop: GiftShop,
  gift: LinkedGift,
  correction: MembershipCorrection,
): Promise<GivenByLink> {
  const { id } = gift
  if (gift.kind === 'book') await correctGivenTitle(shop, 'link', id, correction)
  else await correctGivenMembership(shop, 'link', id, correction)
  return seeByLink(shop, gift)
}

export async function sendAgainByLink(shop: GiftShop, gift: LinkedGift): Promise<GivenByLink> {
  if (gift.kind === 'book') await sendGivenTitleAgain(shop, 'link', gift.id)
  else await sendGivenMembershipAgain(shop, 'link', gift.id)
  return seeByLink(shop, gift)
}
