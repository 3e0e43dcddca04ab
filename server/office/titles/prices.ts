import { DateTime } from 'luxon'
import type { PricePlan, Pricing } from '#contract/office/titles.ts'
import {
  changePrices,
  formerPrices,
  loggedPrices,
  type NewPriceOf,
  schedulePrices,
} from '../../features/catalogue/price-changes.ts'
import { memberPrice } from '../../features/prices/pricing.ts'
import { act } from '../../features/activity/service.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import type { BusinessTime } from '../../clock.ts'
import { formatPounds } from '../../format.ts'
import { notFound, refused, totalChanged, unprocessable } from '../../http/http-errors.ts'
import { counted } from '../../print/table.ts'
import { minute } from '../../settings/days.ts'
import type { Shop } from '../../shop.ts'
import { type OfficeTitle, selectOfficeTitles, selectTouched } from './queries.ts'

const MOST_MINOR = 9_999_99

interface Planned extends PricePlan {
  readonly prices: readonly NewPriceOf[]
  readonly startsAt: BusinessTime
  readonly endsAt: BusinessTime | null
  readonly isTimed: boolean
}

/** @throws 404 for an unknown title, 422 for a price that can't be */
export async function planPrices(shop: Shop, pricing: Pricing): Promise<Planned> {
  const now = shop.clock.now()
  const titles = await titlesOf(shop, pricing.ids)
  const { startsAt, endsAt, isTimed } = spanOf(shop, pricing, now)
  const { memberDiscount } = shop.config.details.terms
  const unpriced = titles.filter(({ hasPrice }) => !hasPrice)
  if (pricing.how !== 'set' && unpriced.length > 0)
    throw refused(`${unpriced[0]!.title} has no price yet, so there is nothing to change it by. Set one.`)
  const prices = titles.map((title): NewPriceOf => {
    const priceMinor = newPrice(title.priceMinor, pricing)
    const memberPriceMinor = pricing.how === 'set' ? (pricing.memberMinor ?? null) : null
    if (memberPriceMinor !== null) checkMembers(priceMinor, memberPriceMinor, memberDiscount)
    return { id: title.id, price: { priceMinor, memberPriceMinor } }
  })
  const then = new Map(prices.map(({ id, price }) => [id, price]))
  const touched = await selectTouched(shop.db, pricing.ids, now)
  const rows = titles.map((title) => {
    const { priceMinor, memberPriceMinor } = then.get(title.id)!
    return {
      id: title.id,
      title: title.title,
      format: title.format,
      nowMinor: title.hasPrice ? title.priceMinor : null,
      thenMinor: priceMinor,
      memberMinor: memberPrice(priceMinor, memberPriceMinor, memberDiscount),
    }
  })
  const many = (count: number, one: string, more: string) => (count === 1 ? one : `${count} ${more}`)
  return {
    rows,
    prices,
    startsAt,
    endsAt,
    isTimed,
    startsLater: startsAt > now,
    shownMinor: rows.reduce((sum, { thenMinor }) => sum + thenMinor, 0),
    touches: [
      ...(touched.bags > 0
        ? [
            `${many(touched.bags, 'One person has', 'people have')} ${titles.length === 1 ? 'it' : 'one of these'} in their bag, and will see the new price. Whoever is paying at that moment pays what they were shown.`,
          ]
        : []),
      ...touched.codes
        .slice(0, 3)
        .map(({ code, percent, amountMinor }) =>
          percent === null
            ? `${code} still takes ${formatPounds(amountMinor ?? 0)} off.`
            : `${code} still takes ${percent}% off.`,
        ),
      ...(touched.gifts > 0
        ? [
            `${many(touched.gifts, 'One present waits', 'presents wait')} to be opened, and paid already: nothing changes there.`,
          ]
        : []),
      ...(touched.highlights > 0
        ? [
            `${many(touched.highlights, 'One is', 'are')} among the titles that members can take for a free audiobook.`,
          ]
        : []),
      ...(touched.scheduled > 0
        ? [
            `${many(touched.scheduled, 'One has', 'have')} another price planned already, which stays planned.`,
          ]
        : []),
      ...(endsAt ? [`On ${minute(endsAt, shop.config.shopZone)} the price is as before again.`] : []),
      'No import changes it back.',
    ],
  }
}

async function titlesOf(shop: Shop, ids: readonly number[]): Promise<OfficeTitle[]> {
  const titles = await selectOfficeTitles(
    shop.db,
    { ids },
    { sorting: { key: 'title', isDescending: false }, limit: ids.length, now: shop.clock.now() },
  )
  if (titles.length < ids.length) throw notFound('One of these titles is gone.')
  return titles
}

export function newPrice(
  nowMinor: number,
  { how, by, round = 'penny' }: Pick<Pricing, 'how' | 'by' | 'round'>,
): number {
  if (how === 'set') {
    if (by < 0) throw unprocessable('by', 'A price is 0 or more.')
    return by
  }
  const changed = how === 'percent' ? Math.round((nowMinor * (100 + by)) / 100) : nowMinor + by
  return Math.min(Math.max(rounded(changed, round), 0), MOST_MINOR)
}

/** `nines`: the nearest price that ends in 49 or 99, the lower of two, and never below 49p. */
function rounded(minor: number, to: NonNullable<Pricing['round']>): number {
  if (to === 'nines') return minor <= 0 ? 0 : Math.max(Math.ceil((minor + 1) / 50 - 0.5) * 50 - 1, 49)
  const step = { penny: 1, ten: 10, fifty: 50, pound: 100 }[to]
  return Math.round(minor / step) * step
}

/** As `titles price` checks it. */
function checkMembers(priceMinor: number, memberMinor: number, discount: number): void {
  if (memberMinor > priceMinor) throw unprocessable('memberMinor', 'Members never pay more than others.')
  if (memberMinor * 100 < priceMinor * (100 - discount))
    throw unprocessable('memberMinor', `Members get ${discount}% off at most.`)
}

function spanOf(shop: Shop, { from, until }: Pick<Pricing, 'from' | 'until'>, now: BusinessTime) {
  const at = (text: string, field: string): BusinessTime => {
    const time = DateTime.fromISO(text, { zone: shop.config.shopZone })
    if (!time.isValid) throw unprocessable(field, 'There is no such time.')
    return time.toJSDate()
  }
  const startsAt = from === undefined ? now : at(from, 'from')
  const endsAt = until === undefined ? null : at(until, 'until')
  if (endsAt && endsAt <= startsAt) throw unprocessable('until', 'It ends before it starts.')
  if (endsAt && endsAt <= now) throw unprocessable('until', 'That time is over.')
  return { startsAt, endsAt, isTimed: startsAt > now || endsAt !== null }
}

export async function setPrices(
  shop: Shop,
  staff: StaffCaller,
  { shownMinor, ...pricing }: Pricing & { readonly shownMinor: number },
): Promise<{ entry: number; what: string }> {
  const plan = await planPrices(shop, pricing)
  if (plan.shownMinor !== shownMinor) throw totalChanged()
  const { prices, rows, startsAt, endsAt } = plan
  const [only] = rows
  const sum = formatPounds(only!.thenMinor)
  const names = rows.length === 1 ? only!.title : counted(rows.length, 'title')
  if (plan.isTimed) {
    const when = `${plan.startsLater ? `from ${minute(startsAt, shop.config.shopZone)}` : 'from now'}${endsAt ? ` until ${minute(endsAt, shop.config.shopZone)}` : ''}`
    const what = `Planned ${rows.length === 1 ? sum : 'new prices'} for ${names} ${when}`
    const { entry } = await act(shop, staff, {
      kind: 'titles schedule',
      about: aboutOf(rows.length === 1 ? (await titlesOf(shop, pricing.ids))[0]!.slug : null),
      what,
      after: { startsAt: startsAt.toISOString(), books: rows.map(({ id }) => id) },
      carryOut: () => schedulePrices(shop, prices, { startsAt, endsAt }),
    })
    return { entry, what }
  }
  const titles = await titlesOf(shop, pricing.ids)
  const former = await formerPrices(shop.db, pricing.ids)
  const what = rows.length === 1 ? `Priced ${names} at ${sum}` : `Changed the prices of ${names}`
  const { entry } = await act(shop, staff, {
    kind: 'titles price',
    about: aboutOf(titles.length === 1 ? titles[0]!.slug : null),
    what,
    before: former,
    after: loggedPrices(former, prices),
    carryOut: () => changePrices(shop.db, prices),
  })
  return { entry, what }
}

const aboutOf = (slug: string | null): string => (slug === null ? 'prices' : `title ${slug}`)
