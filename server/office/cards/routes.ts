import type { FastifyReply } from 'fastify'
import type { FoundCard } from '#contract/office/cards.ts'
import * as contract from '#contract/office/cards.ts'
import { act, type Undoable } from '../../features/activity/service.ts'
import { cardLines, findCards, voidBatch, voidCard } from '../../features/cards/create-cards.ts'
import { type CardRow, selectBatches, selectCardTitles, selectTitle } from '../../features/cards/queries.ts'
import {
  finishPackRequest,
  type OutletRow,
  selectLines,
  selectOpenPackRequests,
  selectOutletNamed,
  selectOutlets,
  selectPackRequestsBy,
  selectStaff,
  selectStatement,
  selectStatements,
  sumBetween,
  sumsOf,
} from '../../features/outlets/queries.ts'
import { closeOutlet } from '../../features/outlets/scheduled-statements.ts'
import { addOutlet, changeOutlet, slugOfName, totalsOf } from '../../features/outlets/service.ts'
import { statementCsv, statementPdf } from '../../features/outlets/statement-files.ts'
import {
  recordStatementPaid,
  remindOfStatement,
  takeBackStatementPaid,
} from '../../features/outlets/statement-payments.ts'
import { longDay, monthAt } from '../../features/outlets/time-zone.ts'
import { readTyped } from '../../codes/cards.ts'
import { sellerOf } from '../../features/pages/service.ts'
import { formatPounds } from '../../format.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import { exportCsv } from '../csv.ts'

const PACKS_AT_MOST = 200
const TITLES_AT_MOST = 2_000
const STATEMENTS_SHOWN = 24

export function registerOfficeCards(server: ApiServer): void {
  const { shop } = server
  const { db, config } = shop

  serve(server, contract.getCards, async () => {
    const [batches, titles, outlets, packs] = await Promise.all([
      selectBatches(db),
      selectCardTitles(db, TITLES_AT_MOST),
      selectOutlets(db),
      selectOpenPackRequests(db, PACKS_AT_MOST),
    ])
    const bookshops = []
    for (const outlet of outlets) bookshops.push(await bookshopReply(shop, outlet))
    return {
      batches: batches.toReversed().map(({ madeAt, activated, redeemed, coverId, ...batch }) => ({
        ...batch,
        cover: coverId && `/media/covers/${coverId.slice(0, 2)}/${coverId}-thumb.webp`,
        madeAt: madeAt.toISOString(),
        sold: activated,
        opened: redeemed,
      })),
      titles,
      bookshops,
      packs: packs.map(({ id, askedAt, packs: count, shopName, town, contact, email }) => ({
        ...{ id, shopName, town, contact, email },
        askedAt: askedAt.toISOString(),
        packs: count,
      })),
    }
  })
  serve(server, contract.exportBatches, async ({ query: { ids }, ...call }) => {
    const wanted = ids && new Set(ids.split(',').map(Number))
    const batches = (await selectBatches(db)).toReversed().filter(({ id }) => !wanted || wanted.has(id))
    return exportCsv(shop, call, {
      list: 'batches',
      head: ['Batch', 'Title', 'Made', 'Where', 'Price £', 'Cards', 'Sold', 'Opened', 'Void'],
      rows: batches.map((batch) => [
        batch.id,
        batch.title,
        batch.madeAt.toISOString(),
        batch.outlet ?? 'every bookshop',
        (batch.priceMinor / 100).toFixed(2),
        batch.made,
        batch.activated,
        batch.redeemed,
        batch.voided,
      ]),
    })
  })
  serve(server, contract.findCard, async ({ body }) => ({
    cards: (await findCards(shop, body.number)).map(foundCard),
  }))

  serve(server, contract.makeCardBatch, async ({ body, staff, reply }) => {
    const { title, count, bookshop, priceMinor, layout } = body
    const book = await selectTitle(db, title)
    if (!book) throw notFound(`There is no audiobook ${title}.`)
    const { printBatch } = await import('./print-files.ts')
    const { result } = await act(shop, staff, {
      kind: 'cards make',
      about: `cards of ${title}`,
      what: `Made ${count} cards of ${book.title}, ${formatPounds(priceMinor ?? book.priceMinor)} each`,
      carryOut: () =>
        printBatch(shop, {
          ...{ slug: title, count, layout },
          ...(bookshop === undefined ? {} : { outletSlug: bookshop }),
          ...(priceMinor === undefined ? {} : { priceMinor }),
        }),
    })
    await sendZip(reply, result)
    return undefined
  })
  serve(server, contract.replaceSoldCard, async ({ body: { number, layout, because }, staff, reply }) => {
    const { printReplacement } = await import('./print-files.ts')
    const { result } = await act(shop, staff, {
      kind: 'cards replace',
      about: `card ${readTyped(number)}`,
      what: `Replaced the card ${readTyped(number)}`,
      because,
      carryOut: () => printReplacement(shop, number, layout),
    })
    await sendZip(reply, result)
    return undefined
  })
  serve(server, contract.voidCardBatch, async ({ params: { id }, body: { because }, staff }) => {
    if (!(await selectBatches(db)).some((batch) => batch.id === id)) throw notFound()
    const { result } = await act(shop, staff, {
      kind: 'cards void',
      about: `batch ${id}`,
      what: `Made the unsold cards of batch ${id} invalid`,
      because,
      carryOut: () => voidBatch(shop, id),
    })
    return { count: result }
  })
  serve(server, contract.voidOneCard, async ({ body: { number, because }, staff }) => {
    await act(shop, staff, {
      kind: 'cards void',
      about: `card ${readTyped(number)}`,
      what: `Made the card ${readTyped(number)} invalid`,
      because,
      carryOut: () => voidCard(shop, number),
    })
    return { number }
  })

  serve(server, contract.addBookshop, async ({ body, staff }) => {
    const slug = slugOfName(body.name)
    if (slug === '') throw refused('Name it with letters or figures.')
    const { result } = await act(shop, staff, {
      kind: 'outlets add',
      about: `bookshop ${slug}`,
      what: `Added the bookshop ${body.name}`,
      carryOut: () => addOutlet(db, { ...body, slug, now: shop.now() }),
    })
    return { slug: result.slug, name: result.name }
  })
  serve(server, contract.changeBookshop, async ({ params: { slug }, body, staff }) => {
    const { name, discountPercent, commissionPercent } = await outletNamed(shop, slug)
    const what = `Changed the terms of ${name}: ${body.discountPercent}% off, ${body.commissionPercent}% commission`
    const { entry } = await act(shop, staff, {
      kind: 'outlets change',
      about: `bookshop ${slug}`,
      what,
      before: { discountPercent, commissionPercent },
      after: { ...body },
      carryOut: () => changeOutlet(db, { slug, ...body }, shop.now()),
    })
    return { entry, what }
  })
  serve(server, contract.moveBookshop, async ({ params: { slug }, body: { email, because }, staff }) => {
    const { name } = await outletNamed(shop, slug)
    await act(shop, staff, {
      kind: 'outlets address',
      about: `bookshop ${slug}`,
      what: `Changed the address of ${name}’s account`,
      because,
      carryOut: () => changeOutlet(db, { slug, email }, shop.now()),
    })
    return { email }
  })
  serve(server, contract.closeBookshop, async ({ params: { slug }, body: { because }, staff }) => {
    const { name } = await outletNamed(shop, slug)
    const { result } = await act(shop, staff, {
      kind: 'outlets close',
      about: `bookshop ${slug}`,
      what: `Closed the bookshop ${name}`,
      because,
      carryOut: () => closeOutlet(shop, slug),
    })
    return { statement: result?.number ?? null }
  })
  serve(server, contract.markStatementPaid, async ({ params: { slug, id }, body: { on }, staff }) => {
    const { outlet, statement } = await statementOf(shop, slug, id)
    const what = `${statement.number} of ${outlet.name} was paid on ${longDay(on)}`
    const { entry } = await act(shop, staff, {
      kind: 'outlets paid',
      about: `statement ${slug} ${id}`,
      what,
      after: on,
      carryOut: () => recordStatementPaid(shop, statement, { on, by: staff.name }),
    })
    return { entry, what }
  })
  serve(server, contract.remindBookshop, async ({ params: { slug, id }, staff }) => {
    const { outlet, statement } = await statementOf(shop, slug, id)
    const what = `Reminded ${outlet.name} of ${statement.number}`
    await act(shop, staff, {
      kind: 'outlets remind',
      about: `statement ${slug} ${id}`,
      what,
      carryOut: () => remindOfStatement(shop, outlet, statement),
    })
    return { what }
  })
  serve(server, contract.exportStatement, async ({ params: { slug, id }, query, staff, reply }) => {
    const { outlet, statement } = await statementOf(shop, slug, id)
    const [sums, lines, seller] = await Promise.all([
      sumsOf(db, [id]),
      selectLines(db, id),
      sellerOf(db, config),
    ])
    const shown = { outlet, statement, sums: sums.get(id)!, lines, zone: config.shopZone, seller }
    await act(shop, staff, {
      kind: 'outlets export',
      about: `bookshop ${slug}`,
      what: `Downloaded the statement ${statement.number}`,
      carryOut: async () => undefined,
    })
    reply.header('cache-control', 'private, no-store')
    if (query.as === 'csv') await reply.type('text/csv; charset=utf-8').send(statementCsv(shown))
    else await reply.type('application/pdf').send(await statementPdf(shown))
    return undefined
  })
  serve(server, contract.finishStarterPack, async ({ params: { id }, staff }) => {
    const [request] = await selectPackRequestsBy(db, id)
    if (!request) throw notFound()
    await act(shop, staff, {
      kind: 'outlets packs',
      about: `starter pack ${id}`,
      what: `Sent the starter pack to ${request.shopName}`,
      carryOut: () => finishPackRequest(db, id, shop.now()),
    })
    return { shopName: request.shopName }
  })
}

const sendZip = (reply: FastifyReply, zip: Buffer) =>
  reply.type('application/zip').header('cache-control', 'private, no-store').send(zip)

function foundCard(found: CardRow): FoundCard {
  const { card, title, activation } = found
  const state = card.voidedAt ? 'void' : card.redeemedAt ? 'opened' : activation ? 'sold' : 'unsold'
  return { number: card.number, title, batch: card.batchId, state, lines: cardLines(found) }
}

async function outletNamed({ db }: Pick<Shop, 'db'>, slug: string): Promise<OutletRow> {
  const outlet = await selectOutletNamed(db, slug)
  if (!outlet) throw notFound(`There is no bookshop ${slug}.`)
  return outlet
}

async function statementOf(shop: Pick<Shop, 'db'>, slug: string, id: string) {
  const outlet = await outletNamed(shop, slug)
  const statement = await selectStatement(shop.db, { id, outletId: outlet.id })
  if (!statement) throw notFound()
  return { outlet, statement }
}

async function bookshopReply({ db, clock, config }: Shop, outlet: OutletRow) {
  const { id, slug, name, discountPercent, commissionPercent, closedAt } = outlet
  const [emails, month, all] = await Promise.all([
    selectStaff(db, id),
    sumBetween(db, id, monthAt(clock.now(), config.shopZone)),
    selectStatements(db, id),
  ])
  const statements = all.slice(0, STATEMENTS_SHOWN)
  const sums = await sumsOf(
    db,
    statements.map((statement) => statement.id),
  )
  const { cards, soldMinor, toPayMinor } = totalsOf(month)
  return {
    ...{ slug: slug ?? '', name, emails, discountPercent, commissionPercent, cards, soldMinor, toPayMinor },
    closedAt: closedAt?.toISOString() ?? null,
    statements: statements.map((statement) => ({
      id: statement.id,
      number: statement.number,
      from: statement.from,
      dueOn: statement.dueOn,
      toPayMinor: totalsOf(sums.get(statement.id)!).toPayMinor,
      paidOn: statement.paidOn,
      paidBy: statement.paidBy,
      remindedAt: statement.remindedAt?.toISOString() ?? null,
    })),
  }
}

const isTerms = (
  value: unknown,
): value is { readonly discountPercent: number; readonly commissionPercent: number } =>
  typeof value === 'object' && value !== null && 'discountPercent' in value && 'commissionPercent' in value

export const UNDO_TERMS: Undoable = {
  may: 'cards.change',
  async undo(shop, { about, before, after }) {
    const slug = about.replace(/^bookshop /, '')
    const { name, discountPercent, commissionPercent } = await outletNamed(shop, slug)
    if (!isTerms(before) || !isTerms(after)) throw refused('The former terms are not known any more.')
    if (after.discountPercent !== discountPercent || after.commissionPercent !== commissionPercent)
      throw refused(`${name} has other terms by now.`)
    return {
      kind: 'outlets change',
      about,
      what: `Gave ${name} its former terms again`,
      before: { ...after },
      after: { ...before },
      carryOut: () =>
        changeOutlet(
          shop.db,
          { slug, discountPercent: before.discountPercent, commissionPercent: before.commissionPercent },
          shop.now(),
        ),
    }
  },
}

export const UNDO_PAID: Undoable = {
  may: 'cards.change',
  async undo(shop, { about, after }) {
    const [, slug = '', id = ''] = about.split(' ')
    const { outlet, statement } = await statementOf(shop, slug, id)
    if (statement.paidOn === null || statement.paidOn !== after)
      throw refused(`What is said about the payment of ${statement.number} has changed since.`)
    return {
      kind: 'outlets unpaid',
      about,
      what: `${statement.number} of ${outlet.name} is not paid after all`,
      before: after,
      carryOut: () => takeBackStatementPaid(shop.db, statement),
    }
  },
}
