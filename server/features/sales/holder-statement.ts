import { formatPounds } from '../../format.ts'
import { A4, type Face, MM, openPaper, type Paper, write } from '../../print/document.ts'
import { counted } from '../../print/table.ts'
import type { Seller } from '../pages/service.ts'
import { discountOf, type Holder, netOf, type TitleOfHolder } from './rights-holders.ts'

interface HolderStatement {
  readonly holder: Holder
  readonly seller: Seller
  /** `November 2026` */
  readonly period: string
}

const ROW = 14
/** Right edges of the columns, from the left margin. */
const COLUMNS = [72, 96, 120, 144, 170].map((mm) => mm * MM)
const HEADS = ['Copies', 'Paid', 'Refunded', 'VAT in it', 'Without VAT']

export async function holderStatementPdf({ holder, seller, period }: HolderStatement): Promise<Paper> {
  const paper = await openPaper(`${holder.name}, ${period}`)
  const left = A4.margin
  const titleWidth = 54 * MM
  let y = 0
  let pages = 0
  const row = (title: string, cells: readonly string[], face: Face = 'text') => {
    write(paper, title, { x: left, y, size: 10, face, width: titleWidth })
    cells.forEach((cell, column) =>
      write(paper, cell, { x: left + COLUMNS[column]!, y, size: 10, face, align: 'right' }),
    )
    y += ROW
  }
  const page = () => {
    paper.addPage({ size: [A4.width, A4.height], margin: 0 })
    pages += 1
    const foot = `${seller.name}, ${holder.name}, ${period}, page ${pages}`
    write(paper, foot, { x: left, y: A4.height - 14 * MM, size: 8, width: A4.width - 2 * left })
    y = A4.margin
  }
  page()
  write(paper, seller.name, { x: A4.width - left, y, size: 14, face: 'display', align: 'right' })
  write(paper, holder.name, { x: left, y, size: 20, face: 'display', width: 110 * MM })
  y += 28
  write(paper, `Sales in ${period}`, { x: left, y, size: 12 })
  y += 20
  for (const line of [
    ...seller.address,
    ...(seller.vatNumber === null ? [] : [`VAT number ${seller.vatNumber}`]),
  ]) {
    write(paper, line, { x: left, y, size: 8 })
    y += 11
  }
  y += ROW
  row('Title', HEADS, 'strong')
  for (const title of holder.titles) {
    if (y > A4.height - A4.margin - 2 * ROW) {
      page()
      row('Title', HEADS, 'strong')
    }
    row(title.title, cellsOf(title))
    const given = givenWords(title)
    if (given) {
      write(paper, given, { x: left, y: y - 2, size: 8, width: A4.width - 2 * left })
      y += ROW - 3
    }
  }
  y += 4
  row('Together', cellsOf(holder.total), 'strong')
  write(paper, givenWords(holder.total), { x: left, y, size: 8, width: A4.width - 2 * left })
  y += ROW
  write(
    paper,
    'A sale counts on the day it was paid, a refund on the day it was made. Titles of several people are divided equally.',
    { x: left, y, size: 8, width: A4.width - 2 * left },
  )
  paper.end()
  return paper
}

const cellsOf = (sums: Omit<TitleOfHolder, 'title'>): string[] => [
  String(sums.copies),
  formatPounds(sums.taxedMinor + sums.untaxedMinor),
  formatPounds(sums.backMinor),
  formatPounds(sums.vatMinor - sums.backVatMinor),
  formatPounds(netOf(sums)),
]

/** `3 free audiobooks of members, 1 card, codes took £2.40 off` */
const givenWords = (sums: Omit<TitleOfHolder, 'title'>): string =>
  [
    sums.credits > 0 && counted(sums.credits, 'free audiobook of a member', 'free audiobooks of members'),
    sums.cards > 0 && counted(sums.cards, 'card'),
    sums.free > 0 && counted(sums.free, 'copy given away', 'copies given away'),
    discountOf(sums) > 0 && `codes took ${formatPounds(discountOf(sums))} off`,
  ]
    .filter(Boolean)
    .join(', ')
