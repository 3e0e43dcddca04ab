import type { Found } from '#contract/office/search.ts'
import * as contract from '#contract/office/search.ts'
import { type Permission, roleMay } from '#contract/office/permissions.ts'
import { givenInWords } from '#contract/plans.ts'
import { candidatesOf, readCode } from '../../codes/secrets.ts'
import { findCard } from '../../features/cards/create-cards.ts'
import type { CardRow } from '../../features/cards/queries.ts'
import { findDiscount } from '../../features/discounts/service.ts'
import { selectMembershipGiftBy, selectTitleGiftBy } from '../../features/gifts/queries.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import { selectOrderNumberOfLine } from './queries.ts'

/** Only what the caller's role may open. */
export function registerOfficeSearch(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.findExactly, async ({ body, staff: { role } }) => {
    const typed = body.words.trim()
    const may = (...needed: Permission[]) => needed.every((each) => roleMay(role, each))
    const found = await Promise.all([
      may('codes.read', 'orders.read') ? discountCode(shop, typed) : [],
      may('cards.read', 'people.read') ? card(shop, typed) : [],
      may('people.read', 'orders.read') ? gift(shop, typed) : [],
    ])
    return { found: found.flat() }
  })
}

async function discountCode({ db }: Shop, typed: string): Promise<Found[]> {
  const row = await findDiscount(db, typed)
  if (!row) return []
  const off = row.percent === null ? 'A discount' : `${row.percent}% off`
  return [
    {
      kind: 'code',
      title: row.code,
      note: `${off}: its orders`,
      to: `/orders?code=${encodeURIComponent(row.code)}`,
    },
  ]
}

/** Finds redeemed cards only: the result links to the page of the customer who redeemed the card. */
async function card(shop: Shop, typed: string): Promise<Found[]> {
  const found = await findCard(shop, typed)
  const owner = found?.card.redeemedBy
  return found && owner
    ? [{ kind: 'card', title: `Card ${found.card.number}`, note: cardWords(found), to: `/people/${owner}` }]
    : []
}

const cardWords = ({ title, outletName }: CardRow): string =>
  `${title}, used${outletName ? `, from ${outletName}` : ''}`

async function gift({ db, config }: Shop, typed: string): Promise<Found[]> {
  if (readCode(typed) === null) return []
  const [ofTitle, ofMembership] = await Promise.all([
    selectTitleGiftBy(db, candidatesOf(config, 'gift', typed)),
    selectMembershipGiftBy(db, candidatesOf(config, 'membership_gift', typed)),
  ])
  const given = ofTitle
    ? { ...ofTitle.gift, what: ofTitle.title }
    : ofMembership && {
        ...ofMembership.gift,
        what: givenInWords(config.details.plans[ofMembership.gift.plan], 'first'),
      }
  if (!given) return []
  const { orderLineId, claimedBy, email, claimedAt, what } = given
  const number = orderLineId && (await selectOrderNumberOfLine(db, orderLineId))
  const to = number ? `/orders/${number}` : claimedBy && `/people/${claimedBy}`
  return to
    ? [
        {
          kind: 'gift',
          title: `A present: ${what}`,
          note: `for ${email}, ${claimedAt ? 'opened' : 'not opened yet'}`,
          to,
        },
      ]
    : []
}
