import { formatPounds } from '../../format.ts'
import { CSV_MARK, csvLine } from '../../print/table.ts'
import { A4, type Face, MM, openPaper, type Paper, write } from '../../print/document.ts'
import type { Seller } from '../pages/service.ts'
import { pounds } from '../prices/pricing.ts'
import { totalsOf } from './service.ts'
import type { LineRow, OutletRow, StatementRow, Sums } from './queries.ts'
import { longDay, monthWords, timeOf } from './time-zone.ts'

interface StatementShown {
  readonly outlet: OutletRow
  readonly statement: StatementRow
  readonly sums: Sums
  readonly lines: readonly LineRow[]
  readonly zone: string
  readonly seller: Seller
}

const KINDS: Readonly<Record<LineRow['kind'], string>> = {
  card: 'Card',
  card_taken_back: 'Card taken back',
  commission: 'Commission',
  commission_taken_back: 'Commission taken back',
  commission_given_back: 'Commission given back',
}

export function statementCsv({ lines, zone }: StatementShown): string {
  const rows = lines.map(({ at, kind, title, ending, ofMinor, percent, amountMinor, vatMinor }) =>
    csvLine([
      timeOf(at, zone),
      KINDS[kind],
      title ?? '',
      ending ?? '',
      pounds(ofMinor),
      percent,
      pounds(amountMinor),
      pounds(vatMinor),
    ]),
  )
  const head = csvLine([
    'when',
    'what',
    'title',
    'card ending',
    'of (£)',
    'percent',
    'to pay (£)',
    'VAT in it (£)',
  ])
  return CSV_MARK + head + rows.join('')
}

const ROW = 14

export async function statementPdf({
  outlet,
  statement,
  sums,
  lines,
  zone,
  seller,
}: StatementShown): Promise<Paper> {
  const paper = await openPaper(`Statement ${statement.number}`)
  const left = A4.margin
  const right = A4.width - A4.margin
  let y = 0
  let pages = 0
  const page = () => {
    paper.addPage({ size: [A4.width, A4.height], margin: 0 })
    pages += 1
    const foot = `${seller.name}, statement ${statement.number}, page ${pages}`
    write(paper, foot, { x: left, y: A4.height - 14 * MM, size: 8 })
    y = A4.margin
  }
  const row = (label: string, amount: string, face: Face = 'text', x = left) => {
    write(paper, label, { x, y, size: 10, face, width: right - x - 25 * MM })
    write(paper, amount, { x: right, y, size: 10, face, align: 'right' })
    y += ROW
  }
  page()
  write(paper, seller.name, { x: right, y, size: 20, face: 'display', align: 'right' })
  write(paper, `Statement ${statement.number}`, { x: left, y, size: 20, face: 'display' })
  y += 28
  write(paper, `${outlet.name}, ${monthWords(statement.from)}`, { x: left, y, size: 12 })
  y += 18
  write(paper, `${longDay(statement.from)} to ${longDay(statement.to)}`, { x: left, y, size: 10 })
  y += ROW
  const vat = seller.vatNumber === null ? [] : [`VAT number ${seller.vatNumber}`]
  for (const words of [...seller.address, ...vat]) {
    write(paper, words, { x: left, y, size: 8 })
    y += 11
  }
  y += ROW
  const all = totalsOf(sums)
  row(`Cards sold at the till: ${all.cards}`, formatPounds(all.soldMinor))
  row('Our share of them, VAT included', formatPounds(all.owedMinor))
  row('VAT in it', formatPounds(all.vatMinor))
  row(`Commission on later purchases: ${all.purchases}`, formatPounds(-all.commissionMinor))
  row(
    all.toPayMinor < 0 ? 'We pay you' : `To pay by ${longDay(statement.dueOn)}`,
    formatPounds(Math.abs(all.toPayMinor)),
    'strong',
  )
  y += ROW
  for (const line of lines) {
    if (y > A4.height - A4.margin - ROW) page()
    const what = [KINDS[line.kind], line.title, line.ending && `ending ${line.ending}`]
      .filter(Boolean)
      .join(', ')
    write(paper, timeOf(line.at, zone), { x: left, y, size: 10 })
    const terms = `${line.percent}% ${line.activationId ? 'off' : 'of'} ${formatPounds(line.ofMinor)}`
    row(`${what}: ${terms}`, formatPounds(line.amountMinor), 'text', left + 45 * MM)
  }
  paper.end()
  return paper
}
