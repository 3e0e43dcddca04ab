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
import { selectOfficeOrders } from '../orders/queries.ts'
import { selectOfficePeople } from '../people/queries.ts'
import { listedPerson } from '../people/service.ts'
import { countOfficeTitles, selectOfficeTitles } from '../titles/queries.ts'
import { selectOrderNumberOfLine } from './queries.ts'

/** Only what the caller's role may open. */
export function registerOfficeSearch(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.findAnything, async ({ body, staff: { role } }) => {
    const words = body.words.trim()
    const may = (...needed: Permission[]) => needed.every((each) => roleMay(role, each))
    // No code or number is shorter, and none has a space in it.
    const isCode = words.length >= SHORTEST_CODE && !words.includes(' ')
    const isAsked = words.length >= SHORTEST
    const [codes, cards, gifts, orders, people, { titles, titleCount }] = await Promise.all([
      isCode && may('codes.read', 'orders.read') ? discountCode(shop, words) : [],
      isCode && may('cards.read', 'people.read') ? card(shop, words) : [],
      isCode && may('people.read', 'orders.read') ? gift(shop, words) : [],
      isAsked && may('orders.read') ? ordersWith(shop, words) : [],
      isAsked && may('people.read') ? peopleWith(shop, words) : [],
      isAsked && may('titles.read') ? titlesWith(shop, words) : { titles: [], titleCount: 0 },
    ])
    return { found: [...codes, ...cards, ...gifts], orders, people, titles, titleCount }
  })
}

const SHORTEST = 2
const SHORTEST_CODE = 4
const AT_MOST = 6

const ordersWith = async ({ db }: Shop, words: string) =>
  (
    await selectOfficeOrders(
      db,
      { words },
      { sorting: { key: 'paid', isDescending: true }, after: undefined, limit: AT_MOST },
    )
  ).map(({ number, buyer, titles, totalMinor }) => ({ number, buyer, titles, totalMinor }))

const peopleWith = async ({ db, clock, config }: Shop, words: string) =>
  (
    await selectOfficePeople(
      db,
      { words },
      { now: clock.now(), sort: { key: 'since', isDescending: true }, after: undefined, limit: AT_MOST },
    )
  ).map((row) => {
    const { id, name, email, plan } = listedPerson(row, config.details.plans)
    return { id, name, email, plan }
  })

async function titlesWith({ db, clock }: Shop, words: string) {
  const [rows, titleCount] = await Promise.all([
    selectOfficeTitles(
      db,
      { words },
      { sorting: { key: 'sold', isDescending: true }, limit: AT_MOST, now: clock.now() },
    ),
    countOfficeTitles(db, { words }),
  ])
  const titles = rows.map(({ slug, title, authors, format, isbn }) => ({
    slug,
    title,
    authors,
    format,
    isbn,
  }))
  return { titles, titleCount }
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
