import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Made, makeCards, type Maker, voidBatch, type PrintedCard } from './create-cards.ts'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { coverDataUrl, type MediaStore } from '../../integrations/media/media-store.ts'
import { CSV_MARK, csvLine } from '../../print/table.ts'
import { MM, openPaper, type Paper, write, writeLines } from '../../print/document.ts'
import { drawQr } from '../../print/qr-code.ts'
import bwipjs from 'bwip-js/node'

interface BatchRequest {
  readonly slug: string
  readonly count: number
  /** Undefined: every bookshop may sell the cards. */
  readonly outletSlug?: string
  readonly priceMinor?: number
  readonly folder: string
  readonly layout: Layout
}

interface Batch {
  readonly made: Made
  /** Path of the CSV table and the PDF, without the extension. */
  readonly path: string
}

/** At most 1,000 cards are in memory. If the table cannot be written, no cards are created. */
export async function makeBatch(
  maker: Maker,
  press: Press,
  { folder, layout, ...request }: BatchRequest,
  onProgress: (printed: number) => void = () => undefined,
): Promise<Batch> {
  const opened: { path?: string; table?: CardTable } = {}
  let made: Made
  try {
    made = await makeCards(maker, request, async (cards, { batch, slug, priceMinor }) => {
      const path = join(folder, `cards-${batch}-${slug}`)
      const table = (opened.table ??= await openTable(`${path}.csv`, press))
      opened.path = path
      await table.add({ slug, priceMinor }, cards)
    })
    await opened.table!.close()
  } catch (error) {
    if (opened.path !== undefined) await rm(`${opened.path}.csv`, { force: true })
    throw error
  }
  const path = opened.path!
  try {
    await printCards(`${path}.pdf`, { made, cards: readTable(`${path}.csv`), layout, press, onProgress })
  } catch (error) {
    // Void the cards: their files are deleted, so the codes are lost.
    await voidBatch(maker, made.batch)
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
  return { made, path }
}

export interface Press {
  readonly publicUrl: string
  readonly media: Pick<MediaStore, 'stream'>
  readonly name: string
}

/** Browsers do not send the part after `#` to the server, so the code appears in no log. */
const redemptionAddress = (publicUrl: string, code: string): string => `${publicUrl}/redemption#${code}`

async function* readTable(path: string): AsyncIterable<PrintedCard> {
  const lines = createReadStream(path).pipe(parse({ bom: true, columns: true }))
  for await (const { number, code } of lines as AsyncIterable<PrintedCard>)
    yield { number: number.replaceAll(' ', ''), code }
}

interface CardTable {
  add(made: Pick<Made, 'slug' | 'priceMinor'>, cards: readonly PrintedCard[]): Promise<void>
  close(): Promise<void>
}

/** Readable only by its owner. Fails if the file exists. */
export async function openTable(path: string, { publicUrl }: Press): Promise<CardTable> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(file, 'open')
  const put = async (text: string) => {
    if (!file.write(text)) await once(file, 'drain')
  }
  await put(CSV_MARK + csvLine(['title', 'price', 'number', 'code', 'address']))
  return {
    add: ({ slug, priceMinor }, cards) =>
      put(
        cards
          .map(({ number, code }) =>
            csvLine([
              slug,
              (priceMinor / 100).toFixed(2),
              inGroups(number),
              code,
              redemptionAddress(publicUrl, code),
            ]),
          )
          .join(''),
      ),
    close: async () => {
      file.end()
      await finished(file)
    },
  }
}

/** `printer`: two pages per card, with bleed and crop marks. `a4`: ten fronts per sheet, insides on its back. */
export type Layout = 'printer' | 'a4'

const CARD = { width: 85 * MM, height: 54 * MM }
const BLEED = 3 * MM
/** Between the bleed and the edge of the page, for the crop marks. */
const SLUG = 5 * MM
const SHEET = { width: 210 * MM, height: 297 * MM, columns: 2, rows: 5 }
const PER_SHEET = SHEET.columns * SHEET.rows

interface Job {
  readonly made: Made
  readonly cards: Iterable<PrintedCard> | AsyncIterable<PrintedCard>
  readonly layout: Layout
  readonly press: Press
  readonly onProgress?: (printed: number) => void
}

export async function printCards(path: string, job: Job): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(file, 'open')
  await printTo(file, job)
}

/** Draws cards as they are read, so that memory use does not grow with their number. */
export async function printTo(
  file: Writable,
  { made, cards, layout, press, onProgress }: Job,
): Promise<void> {
  const paper = await openPaper(`${made.title}: cards of batch ${made.batch}`)
  const done = pipeline(paper, file)
  // Prevent an unhandled rejection: `done` is awaited only at the end.
  done.catch(() => undefined)
  const look: Look = {
    made,
    publicUrl: press.publicUrl,
    name: press.name,
    cover: made.coverId === null ? undefined : await coverDataUrl(press.media, made.coverId),
  }
  const step = layout === 'a4' ? PER_SHEET : 1
  let printed = 0
  let waiting: PrintedCard[] = []
  const draw = async () => {
    if (layout === 'a4') drawSheet(paper, look, waiting)
    else for (const card of waiting) drawPair(paper, look, card)
    while (paper.readableLength > 1_000_000 && !file.destroyed) await setImmediate()
    printed += waiting.length
    waiting = []
    onProgress?.(printed)
  }
  for await (const card of cards) {
    if (file.destroyed) break
    waiting.push(card)
    if (waiting.length === step) await draw()
  }
  if (waiting.length > 0 && !file.destroyed) await draw()
  paper.end()
  await done
}

/** The table and the print file of one card. */
export async function writeCard(
  press: Press,
  { made, card, layout }: { made: Made; card: PrintedCard; layout: Layout },
  path: string,
): Promise<void> {
  try {
    const table = await openTable(`${path}.csv`, press)
    await table.add(made, [card])
    await table.close()
    await printCards(`${path}.pdf`, { made, cards: [card], layout, press })
  } catch (error) {
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
}

interface Look {
  readonly made: Made
  readonly name: string
  readonly publicUrl: string
  /** A data URL. Every page references the same string, so that the picture is embedded once. */
  readonly cover: string | undefined
}
interface Corner {
  readonly x: number
  readonly y: number
}

function drawPair(paper: Paper, look: Look, card: PrintedCard): void {
  const edge = BLEED + SLUG
  const size: [number, number] = [CARD.width + 2 * edge, CARD.height + 2 * edge]
  for (const side of [drawFront, drawInside]) {
    paper.addPage({ size, margin: 0 })
    side(paper, look, card, { x: edge, y: edge }, BLEED)
    drawCropMarks(paper, { x: edge, y: edge }, [CARD.width], [CARD.height])
  }
}

function drawSheet(paper: Paper, look: Look, cards: readonly PrintedCard[]): void {
  const left = (SHEET.width - SHEET.columns * CARD.width) / 2
  const top = (SHEET.height - SHEET.rows * CARD.height) / 2
  for (const side of [drawFront, drawInside]) {
    paper.addPage({ size: [SHEET.width, SHEET.height], margin: 0 })
    cards.forEach((card, place) => {
      const column = place % SHEET.columns
      // Printed on both sides and turned over its long edge, the sheet has the first column on the right.
      const from = side === drawFront ? column : SHEET.columns - 1 - column
      const y = top + Math.floor(place / SHEET.columns) * CARD.height
      side(paper, look, card, { x: left + from * CARD.width, y }, 0)
    })
    drawCropMarks(
      paper,
      { x: left, y: top },
      [CARD.width, 2 * CARD.width],
      Array.from({ length: Math.ceil(cards.length / SHEET.columns) }, (_, row) => (row + 1) * CARD.height),
    )
  }
}

const EDGE = 5 * MM
const COVER = 28 * MM

function drawFront(
  paper: Paper,
  { made, name, cover }: Look,
  { number }: PrintedCard,
  { x, y }: Corner,
  bleed: number,
): void {
  const colour = made.textColour ?? '#FFFFFF'
  paper
    .rect(x - bleed, y - bleed, CARD.width + 2 * bleed, CARD.height + 2 * bleed)
    .fill(made.backgroundColour ?? '#2E3A4B')
  const [left, top] = [x + EDGE, y + EDGE]
  if (cover) {
    paper
      .save()
      .roundedRect(left, top, COVER, COVER, 0.5 * MM)
      .clip()
    paper.image(cover, left, top, { width: COVER, height: COVER })
    paper.restore()
  }
  const beside = cover ? left + COVER + 4 * MM : left
  const width = x + CARD.width - EDGE - beside
  writeLines(paper, made.title, {
    ...{ x: beside, y: top - 0.3 * MM, size: 16, face: 'display', colour, width },
    ...{ most: 3, leading: 1.1 },
  })
  write(paper, 'An audiobook in a card', { x: beside, y: top + 19.3 * MM, size: 8, colour, width })
  write(paper, name, { x: beside, y: top + 23.4 * MM, size: 11, face: 'display', colour })
  paper.rect(left, y + 36 * MM, CARD.width - 2 * EDGE, 13 * MM).fill('#FFFFFF')
  drawBars(paper, number, { x: x + 15 * MM, y: y + 37.5 * MM, width: 55 * MM, height: 7 * MM })
  write(paper, inGroups(number), {
    ...{ x: x + CARD.width / 2, y: y + 44.7 * MM, size: 9.5, colour: '#000000' },
    ...{ align: 'centre', spacing: 0.8 },
  })
}

function drawInside(
  paper: Paper,
  { publicUrl }: Look,
  { code }: PrintedCard,
  { x, y }: Corner,
  bleed: number,
): void {
  paper.rect(x - bleed, y - bleed, CARD.width + 2 * bleed, CARD.height + 2 * bleed).fill('#FFFFFF')
  const left = x + EDGE
  drawQr(paper, redemptionAddress(publicUrl, code), { x: left, y: y + EDGE, width: 27 * MM })
  const [number, text] = [x + 37 * MM, x + 41 * MM]
  const width = x + CARD.width - EDGE - text
  const steps: readonly (readonly [at: number, ...lines: string[]])[] = [
    [5, 'Scan this, or type your code at', `${publicUrl.replace(/^https?:\/\//, '')}/redemption`],
    [15, 'Sign in or create an account'],
    [21.5, 'Open your library and listen'],
  ]
  steps.forEach(([at, ...lines], place) => {
    write(paper, String(place + 1), { x: number, y: y + at * MM, size: 9, face: 'strong' })
    lines.forEach((line, below) =>
      write(paper, line, {
        ...{ x: text, y: y + (at + 4 * below) * MM, size: 8.5, width },
        face: below === 0 ? 'text' : 'strong',
      }),
    )
  })
  write(paper, 'Your redemption code', { x: left, y: y + 34.5 * MM, size: 8 })
  paper.rect(left, y + 39 * MM, CARD.width - 2 * EDGE, 10 * MM).fill('#ECEDE8')
  write(paper, code, {
    ...{ x: x + CARD.width / 2, y: y + 40.3 * MM, size: 15, face: 'strong', colour: '#000000' },
    ...{ align: 'centre', spacing: 1.2 },
  })
}

function drawCropMarks(
  paper: Paper,
  { x, y }: Corner,
  rights: readonly number[],
  bottoms: readonly number[],
): void {
  const [width, height] = [rights.at(-1)!, bottoms.at(-1)!]
  const [near, far] = [BLEED + 0.5 * MM, BLEED + 4 * MM]
  paper.lineWidth(0.25).strokeColor('#000000')
  for (const each of [0, ...rights]) {
    paper.moveTo(x + each, y - near).lineTo(x + each, y - far)
    paper.moveTo(x + each, y + height + near).lineTo(x + each, y + height + far)
  }
  for (const each of [0, ...bottoms]) {
    paper.moveTo(x - near, y + each).lineTo(x - far, y + each)
    paper.moveTo(x + width + near, y + each).lineTo(x + width + far, y + each)
  }
  paper.stroke()
}

const inGroups = (number: string): string => number.replaceAll(/(.{4})(?!$)/g, '$1 ')

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

function drawBars(paper: Paper, text: string, { x, y, width, height }: Place & { height: number }): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types don't say which kind of code returns what
  const [code] = bwipjs.raw({ bcid: 'code128', text }) as unknown as [{ sbs: number[] }]
  const total = code.sbs.reduce((sum, each) => sum + each, 0)
  const unit = width / total
  let at = x
  code.sbs.forEach((bar, index) => {
    if (index % 2 === 0) paper.rect(at, y, bar * unit, height)
    at += bar * unit
  })
  paper.fill('#000000')
}
