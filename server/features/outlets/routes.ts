import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/outlets.ts'
import type { Caller } from '../../auth/access.ts'
import { HOME_COUNTRY } from '../../auth/country.ts'
import { wholeList } from '#contract/calculations/hydra-list.ts'
import { forbidden, notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { audioCardsOf, readerOf } from '../catalogue/service.ts'
import { addressee, downloadAddress } from '../media/signed-addresses.ts'
import { pounds, ratesAt } from '../prices/pricing.ts'
import {
  selectAdditions,
  selectCardPrice,
  selectLines,
  selectOutlet,
  selectOutletOfStaff,
  selectStatement,
  selectStatements,
  type StatementRow,
  sumBetween,
  sumsOf,
  type LineRow,
  type OutletRow,
  type Sums,
} from './queries.ts'
import { sellerOf } from '../pages/service.ts'
import { askForStarterPack } from './starter-packs.ts'
import { statementCsv, statementPdf } from './statement-files.ts'
import { monthAt, monthNamed, type Month } from './time-zone.ts'
import type { OutletAccount, OutletStatement, StatementLine } from '#contract/outlets.ts'
import { cardSumOf, type StatementTotals, totalsOf } from './service.ts'

export function registerOutlets(server: ApiServer): void {
  const { app, shop } = server
  const { db, clock, config } = shop

  const files = (caller: Caller, { id }: StatementRow) => ({
    pdf: downloadAddress(shop, caller, `/media/statements/${id}.pdf`),
    csv: downloadAddress(shop, caller, `/media/statements/${id}.csv`),
  })

  serve(server, contract.seeOutletAccount, async ({ caller }) => {
    const outlet = await selectOutlet(db, outletOf(caller))
    if (!outlet) throw notFound()
    const month = monthAt(clock.now(), config.shopZone)
    return accountView(outlet, month, await sumBetween(db, outlet.id, month))
  })
  serve(server, contract.listStatements, async ({ caller, url }) => {
    const statements = await selectStatements(db, outletOf(caller))
    const sums = await sumsOf(
      db,
      statements.map(({ id }) => id),
    )
    const members = statements.map((each) => statementView(each, sums.get(each.id)!, files(caller, each)))
    return wholeList('OutletStatement', url, members)
  })
  serve(server, contract.seeStatement, async ({ caller, params }) => {
    const statement = await selectStatement(db, { id: params.id, outletId: outletOf(caller) })
    if (!statement) throw notFound()
    const [sums, lines] = await Promise.all([sumsOf(db, [statement.id]), selectLines(db, statement.id)])
    return {
      ...statementView(statement, sums.get(statement.id)!, files(caller, statement)),
      lines: lines.map(lineView),
    }
  })
  serve(server, contract.listAdditions, async (call) => {
    const { month } = call.query
    const added = await selectAdditions(
      db,
      month ? monthNamed(month, config.shopZone) : monthAt(clock.now(), config.shopZone),
    )
    const reader = await readerOf(shop, call)
    const cards = await audioCardsOf(
      shop,
      added.map(({ bookId }) => bookId),
      reader,
    )
    const byId = new Map(cards.map((card) => [card.id, card]))
    const members = added.flatMap(({ bookId, since, priceMinor }) => {
      const audioBook = byId.get(bookId)
      return audioBook
        ? [
            {
              '@id': `/api/outlet/additions/${bookId}`,
              '@type': 'CardAddition' as const,
              id: bookId,
              since: since.toISOString(),
              price: pounds(priceMinor),
              audioBook,
            },
          ]
        : []
    })
    return wholeList('CardAddition', call.url, members)
  })

  serve(server, contract.seeCardSum, async ({ params }) => {
    const priceMinor = await selectCardPrice(db, params.slug)
    if (priceMinor === undefined) throw notFound()
    const { audiobook: vatPercent } = ratesAt(config, HOME_COUNTRY, clock.now())
    const { invoicedMinor, commissionMinor } = cardSumOf(priceMinor, vatPercent)
    return {
      sold: pounds(priceMinor),
      invoiced: pounds(invoicedMinor),
      keeps: pounds(priceMinor - invoicedMinor),
      commission: pounds(commissionMinor),
    }
  })

  serve(server, contract.askForStarterPack, async ({ body, request }) => {
    await askForStarterPack(shop, body, request.ip)
    return undefined
  })

  /** With a signed address instead of a token, because a browser downloads the files. */
  const file = (
    ending: 'pdf' | 'csv',
    send: (reply: FastifyReply, shown: Shown) => FastifyReply | Promise<FastifyReply>,
  ) =>
    app.route<{ Params: { id: string } }>({
      method: 'GET',
      url: `/media/statements/:id.${ending}`,
      handler: async (request, reply) => send(reply, await shownTo(request, request.params.id)),
    })
  type Shown = Parameters<typeof statementPdf>[0]
  file('pdf', async (reply, shown) => {
    const paper = await statementPdf(shown)
    return named(reply, shown, 'pdf').type('application/pdf').send(paper)
  })
  file('csv', (reply, shown) =>
    named(reply, shown, 'csv').type('text/csv; charset=utf-8').send(statementCsv(shown)),
  )

  async function shownTo(request: FastifyRequest, id: string): Promise<Shown> {
    const userId = await addressee(shop, request.url)
    // The user may have left the bookshop since the address was signed.
    const outletId = userId && (await selectOutletOfStaff(db, userId))
    const [outlet, statement] = outletId
      ? await Promise.all([selectOutlet(db, outletId), selectStatement(db, { id, outletId })])
      : []
    if (!outlet || !statement) throw forbidden('This address has expired. Please ask for it again.')
    const [sums, lines, seller] = await Promise.all([
      sumsOf(db, [id]),
      selectLines(db, id),
      sellerOf(db, config),
    ])
    return { outlet, statement, sums: sums.get(id)!, lines, zone: config.shopZone, seller }
  }
}

const named = (reply: FastifyReply, { statement }: { statement: StatementRow }, ending: string) =>
  reply
    .header('cache-control', 'private, no-store')
    .header('content-disposition', `attachment; filename="${statement.number}.${ending}"`)

/** The route admits only bookshop staff, so this never throws in practice. */
function outletOf({ outletId }: Caller): string {
  if (outletId === null) throw forbidden()
  return outletId
}

const sumsView = (sums: StatementTotals) => ({
  cards: sums.cards,
  sold: pounds(sums.soldMinor),
  owed: pounds(sums.owedMinor),
  vat: pounds(sums.vatMinor),
  purchases: sums.purchases,
  commission: pounds(sums.commissionMinor),
  keeps: pounds(sums.keepsMinor),
  toPay: pounds(sums.toPayMinor),
})

const accountView = (outlet: OutletRow, { from, to }: Month, sums: Sums): OutletAccount => ({
  from,
  to,
  ...sumsView(totalsOf(sums)),
  discountPercent: outlet.discountPercent,
  commissionPercent: outlet.commissionPercent,
})

const statementView = (
  { id, number, from, to, madeAt, dueOn, paidOn }: StatementRow,
  sums: Sums,
  files: { readonly pdf: string; readonly csv: string },
): OutletStatement => ({
  '@id': `/api/outlet/statements/${id}`,
  '@type': 'OutletStatement',
  id,
  number,
  from,
  to,
  madeAt: madeAt.toISOString(),
  dueOn,
  paidOn,
  ...sumsView(totalsOf(sums)),
  ...files,
})

const lineView = ({
  id,
  kind,
  at,
  title,
  ending,
  ofMinor,
  percent,
  amountMinor,
}: LineRow): StatementLine => ({
  id,
  kind,
  at: at.toISOString(),
  title,
  ending,
  of: pounds(ofMinor),
  percent,
  amount: pounds(amountMinor),
})
