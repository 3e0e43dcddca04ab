import { DateTime } from 'luxon'
import * as contract from '#contract/office/sales.ts'
import { unreadable, notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { act } from '../../features/activity/service.ts'
import { sellerOf } from '../../features/pages/service.ts'
import { holderStatementPdf } from '../../features/sales/holder-statement.ts'
import { discountOf, netOf, rightsHolders, type TitleOfHolder } from '../../features/sales/rights-holders.ts'
import { type Period, periodOf } from '../../features/sales/period.ts'
import type { Sales } from '../../features/sales/queries.ts'
import { type AddedUp, type GroupOfSales, salesBy, salesOf } from '../../features/sales/service.ts'
import { countryInWords, isInEuropeanUnion } from '../../settings/country-codes.ts'
import { day } from '../../settings/days.ts'
import { exportCsv } from '../csv.ts'

export function registerSales(server: ApiServer): void {
  const { shop } = server
  const spanOf = (asked: string | undefined) => {
    const today = day(shop.clock.now(), shop.config.shopZone)
    const period = asked ?? today.slice(0, 7)
    const { from, to } = periodIn(period)
    return { period, from, to, isSoFar: to >= today }
  }

  serve(server, contract.getSales, async ({ query }) => {
    const period = spanOf(query.period)
    const [{ days, total }, { groups: kinds }, { groups: rates }] = await Promise.all([
      salesOf(shop, period),
      salesBy(shop, { ...period, by: 'publisher' }),
      salesBy(shop, { ...period, by: 'rate' }),
    ])
    const memberships = kinds.find(({ name }) => name === 'memberships')
    return {
      ...period,
      days: days.map((each) => ({ day: each.day, ...figures(each) })),
      total: figures(total),
      membershipsMinor: memberships ? figures(memberships).leftMinor : 0,
      rates: rates.map((rate) => ({ ...countryAndRate(rate), ...figures(rate) })),
    }
  })
  serve(server, contract.getSalesBy, async ({ query: { period, by } }) => {
    const { groups, total } = await salesBy(shop, { ...spanOf(period), by })
    return {
      groups: groups.map((group) => ({
        name: by === 'country' ? countryInWords(group.name) : group.name,
        ...groupFigures(group),
      })),
      total: groupFigures(total),
    }
  })
  serve(server, contract.exportSales, async ({ query: { period, by }, ...call }) => {
    const span = spanOf(period)
    const rows = by
      ? (await salesBy(shop, { ...span, by })).groups.map((group) => [
          group.name,
          group.copies,
          ...moneyCells(figures(group)),
        ])
      : (await salesOf(shop, span)).days.map((each) => [each.day, each.orders, ...moneyCells(figures(each))])
    return exportCsv(shop, call, {
      list: 'sales',
      head: [by ? HEAD_OF[by] : 'Day', by ? 'Copies' : 'Orders', ...MONEY_HEADS],
      rows,
    })
  })
  serve(server, contract.exportOss, async ({ query: { period }, ...call }) => {
    const { groups } = await salesBy(shop, { ...periodIn(period), by: 'rate' })
    const rows = groups
      .map((group) => ({ ...countryAndRate(group), ...figures(group) }))
      .filter(({ country }) => isInEuropeanUnion(country))
      .toSorted((one, two) => one.country.localeCompare(two.country) || two.percent - one.percent)
    return exportCsv(shop, call, {
      list: 'one stop shop',
      head: ['Country', 'Name', 'VAT rate %', 'Taxable £', 'VAT £'],
      rows: rows.map(({ country, percent, netMinor, vatMinor }) => [
        country,
        countryInWords(country),
        percent,
        pounds(netMinor),
        pounds(vatMinor),
      ]),
    })
  })

  serve(server, contract.getHolders, async ({ query: { period, by } }) => {
    const span = spanOf(period)
    const holders = await rightsHolders(shop, { ...span, by })
    return {
      ...span,
      holders: holders.map(({ name, titles, total }) => ({
        name,
        ...ofHolder(total),
        titles: titles.map((title) => ({ title: title.title, ...ofHolder(title) })),
      })),
    }
  })
  serve(server, contract.exportHolders, async ({ query: { period, by, name, as }, ...call }) => {
    const span = spanOf(period)
    const all = await rightsHolders(shop, { ...span, by })
    const holders = name === undefined ? all : all.filter((each) => each.name === name)
    const [holder] = holders
    if (name !== undefined && !holder) throw notFound()
    if (as === 'csv')
      return exportCsv(shop, call, {
        list: 'rights holders',
        head: [HEAD_OF[by], 'Title', 'Copies', 'Free audiobooks', 'Cards', 'Given away', ...HOLDER_MONEY],
        rows: holders.flatMap((each) =>
          each.titles.map((title) => [
            each.name,
            title.title,
            title.copies,
            title.credits,
            title.cards,
            title.free,
            ...holderCells(title),
          ]),
        ),
      })
    if (!holder || name === undefined) throw unreadable('name: A PDF is of one rights holder.')
    const seller = await sellerOf(shop.db, shop.config)
    const { result } = await act(shop, call.staff, {
      kind: 'rights holders export',
      about: 'list rights holders',
      what: `Downloaded the statement of ${name} for ${periodWords(span)} as PDF`,
      carryOut: () => holderStatementPdf({ holder, seller, period: periodWords(span) }),
    })
    await call.reply.type('application/pdf').header('cache-control', 'private, no-store').send(result)
    return undefined
  })
}

const HEAD_OF = {
  title: 'Title',
  publisher: 'Publisher',
  author: 'Author',
  narrator: 'Narrator',
  country: 'Country',
  rate: 'VAT rate',
  code: 'Code',
} as const

/** @throws 400 */
function periodIn(text: string): Period {
  const period = periodOf(text)
  if (!period)
    throw unreadable('period: A period is written 2026, 2026-Q4, 2026-11 or 2026-11-01..2026-11-30.')
  return period
}

function figures(sales: Sales) {
  const takenMinor = sales.taxedMinor + sales.untaxedMinor
  const leftMinor = takenMinor - sales.backMinor
  const vatMinor = sales.vatMinor - sales.backVatMinor
  return {
    orders: sales.orders,
    takenMinor,
    refundedMinor: sales.backMinor,
    leftMinor,
    vatMinor,
    netMinor: leftMinor - vatMinor,
  }
}

const groupFigures = (sums: AddedUp) => ({
  copies: sums.copies,
  discountMinor: discountOf(sums),
  ...figures(sums),
})

const MONEY_HEADS = ['Taken £', 'Refunded £', 'Left £', 'VAT in it £', 'Without VAT £']
const moneyCells = ({
  takenMinor,
  refundedMinor,
  leftMinor,
  vatMinor,
  netMinor,
}: ReturnType<typeof figures>) => [takenMinor, refundedMinor, leftMinor, vatMinor, netMinor].map(pounds)

const ofHolder = (sums: Omit<TitleOfHolder, 'title'>) => ({
  copies: sums.copies,
  credits: sums.credits,
  cards: sums.cards,
  free: sums.free,
  discountMinor: discountOf(sums),
  takenMinor: sums.taxedMinor + sums.untaxedMinor,
  refundedMinor: sums.backMinor,
  vatMinor: sums.vatMinor - sums.backVatMinor,
  netMinor: netOf(sums),
})
const HOLDER_MONEY = ['Codes took off £', 'Taken £', 'Refunded £', 'VAT in it £', 'Without VAT £']
function holderCells(sums: Omit<TitleOfHolder, 'title'>): number[] {
  const { discountMinor, takenMinor, refundedMinor, vatMinor, netMinor } = ofHolder(sums)
  return [discountMinor, takenMinor, refundedMinor, vatMinor, netMinor].map(pounds)
}

/** A number, because the CSV writes text that begins with a minus sign as text. */
const pounds = (minor: number): number => minor / 100

/** `IE 23%`, as `salesBy` names the groups. */
function countryAndRate({ name }: GroupOfSales): { country: string; percent: number } {
  const [country = '', rate = ''] = name.split(' ')
  return { country, percent: Number.parseInt(rate, 10) }
}

/** `November 2026`, or the days. */
function periodWords({ from, to }: Period): string {
  const [first, last] = [DateTime.fromISO(from), DateTime.fromISO(to)]
  if (from.endsWith('-01') && last.toISODate() === first.endOf('month').toISODate())
    return first.toFormat('LLLL yyyy')
  return `${first.toFormat('d LLLL yyyy')} to ${last.toFormat('d LLLL yyyy')}`
}
