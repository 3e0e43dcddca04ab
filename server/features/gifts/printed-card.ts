import { givenInWords } from '#contract/plans.ts'
import { printedCode } from '../../codes/secrets.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { coverDataUrl } from '../../integrations/media/media-store.ts'
import { A4, MM, openPaper, type Paper, write, writeLines } from '../../print/document.ts'
import type { drawQr } from '../../print/qr-code.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import { dayInWords } from '../products/delivery-day.ts'
import { oneMembershipGivenBy, oneTitleGivenBy } from './given-gifts.ts'
import { type Giver, type LinkedGift, refuseOver } from './giver-actions.ts'
import { insertPrintedCode, isPrintedCode, selectLooksOfBook } from './queries.ts'

type CardShop = Pick<Shop, 'db' | 'config' | 'now' | 'clock' | 'media'>

/** Stores the hash of the card's code, which opens the gift from now on. @throws 404, 422 for a gift that is over */
export async function makeCard(shop: CardShop, giver: Giver, { kind, id }: LinkedGift): Promise<void> {
  const { hash } = (await openGift(shop, giver, { kind, id })).printed
  await insertPrintedCode(shop.db, kind === 'book' ? { hash, bookGiftId: id } : { hash, giftId: id })
}

/** Drawing one takes as long as a hundred other answers. */
const DRAWN: Limit = { name: 'gift card drawn for', most: 20, windowSeconds: 3600 }

/** @throws 422 if the gift is over, or was corrected since `makeCard`; 429 after twenty cards in an hour */
export async function cardFile(
  shop: CardShop,
  giver: Giver,
  gift: LinkedGift,
): Promise<{ readonly name: string; readonly paper: Paper }> {
  const { printed, ...shown } = await openGift(shop, giver, gift)
  if (!(await isPrintedCode(shop.db, printed.hash)))
    throw refused('This gift has changed. Please ask for its card again.')
  await countOrRefuse(shop.db, DRAWN, gift.id, shop.now())
  const cover = shown.coverId === null ? undefined : await coverDataUrl(shop.media, shown.coverId)
  // Few servers print cards, and the library for these codes is large.
  const { drawQr } = await import('../../print/qr-code.ts')
  const paper = await openPaper(`A present: ${shown.title}`)
  drawCard(paper, { ...shown, cover, code: printed.code, ...pressOf(shop.config), drawQr })
  paper.end()
  return { name: `A present for ${shown.recipient}.pdf`, paper }
}

const pressOf = ({ publicUrl, details }: Shop['config']) => ({ publicUrl, shop: details.name })

interface OpenGift {
  readonly printed: ReturnType<typeof printedCode>
  readonly path: '/get-book' | '/get-subscription'
  readonly title: string
  readonly email: string
  readonly recipient: string
  readonly giver: string
  readonly note: string | null
  readonly day: string | null
  readonly coverId: string | null
  readonly background: string
  readonly colour: string
}

/** The colours of a gift's page without a title (`src/ui/title-theme.ts`). */
const HOUSE = { background: '#4A3A91', colour: '#F6F6F3' }

async function openGift(shop: CardShop, giver: Giver, { kind, id }: LinkedGift): Promise<OpenGift> {
  if (kind === 'membership') {
    const { gift } = await oneMembershipGivenBy(shop, giver, id)
    refuseOver(gift)
    const words = givenInWords(shop.config.details.plans[gift.plan], 'first')
    return {
      printed: printedCode(shop.config, 'membership_gift', gift),
      path: '/get-subscription',
      title: words,
      ...{ email: gift.email, recipient: gift.firstName ?? gift.email },
      ...{ giver: gift.giverName, note: gift.message, day: gift.sentAt ? null : gift.day },
      ...{ coverId: null, ...HOUSE },
    }
  }
  const { gift, title, soldAs } = await oneTitleGivenBy(shop, giver, id)
  refuseOver(gift)
  const looks = await selectLooksOfBook(shop.db, gift.bookId)
  if (!looks) throw notFound()
  return {
    printed: printedCode(shop.config, 'gift', gift),
    path: '/get-book',
    title: soldAs ?? title,
    ...{ email: gift.email, recipient: gift.email },
    ...{ giver: gift.giverName, note: gift.message, day: gift.sentAt ? null : gift.day },
    coverId: looks.coverId,
    background: looks.background ?? HOUSE.background,
    colour: looks.colour ?? HOUSE.colour,
  }
}

interface Look extends Omit<OpenGift, 'printed' | 'coverId'> {
  readonly cover: string | undefined
  readonly code: string
  readonly publicUrl: string
  readonly shop: string
  readonly drawQr: typeof drawQr
}

const PANEL = { width: A4.width / 2, height: A4.height / 2 }
const EDGE = 14 * MM
const INNER = PANEL.width - 2 * EDGE

/**
 * One side of A4 that is folded twice to A6: the top half to the back, then the left half to the back. The bottom right
 * panel is then the front. The top half is the inside, upside down.
 */
function drawCard(paper: Paper, look: Look): void {
  paper.addPage({ size: [A4.width, A4.height], margin: 0 })
  drawFront(paper, look)
  drawBack(paper, look)
  paper.save().rotate(180, { origin: [PANEL.width, PANEL.height / 2] })
  drawNote(paper, look)
  drawCode(paper, look)
  paper.restore()
  drawFolds(paper)
}

const ART = 66 * MM

function drawFront(paper: Paper, { background, colour, cover, title, giver }: Look): void {
  const { width: left, height: top } = PANEL
  paper.rect(left, top, PANEL.width, PANEL.height).fill(background)
  const middle = left + PANEL.width / 2
  if (cover) {
    const [x, y] = [middle - ART / 2, top + 22 * MM]
    paper
      .save()
      .roundedRect(x, y, ART, ART, 1 * MM)
      .clip()
    paper.image(cover, x, y, { cover: [ART, ART], align: 'center', valign: 'center' })
    paper.restore()
  } else
    writeLines(paper, title, {
      ...{ x: middle, y: top + 44 * MM, size: 40, face: 'display', colour, align: 'centre' },
      ...{ width: INNER, most: 4, leading: 1.1 },
    })
  write(paper, 'A present for you', {
    ...{ x: middle, y: top + 104 * MM, size: 24, face: 'display', colour, align: 'centre', width: INNER },
  })
  write(paper, `from ${giver}`, {
    ...{ x: middle, y: top + 116 * MM, size: 13, colour, align: 'centre', width: INNER },
  })
}

function drawBack(paper: Paper, { shop, publicUrl }: Look): void {
  const middle = PANEL.width / 2
  const foot = A4.height - 30 * MM
  write(paper, shop, { x: middle, y: foot, size: 15, face: 'display', align: 'centre', width: INNER })
  write(paper, hostOf(publicUrl), { x: middle, y: foot + 20, size: 9, align: 'centre', width: INNER })
}

function drawNote(paper: Paper, { note, giver }: Look): void {
  const below = note
    ? writeLines(paper, note, {
        ...{ x: EDGE, y: 26 * MM, size: 19, face: 'display', width: INNER },
        ...{ most: noteLines(note), leading: 1.4 },
      })
    : 40 * MM
  write(paper, giver, { x: EDGE, y: below + 6 * MM, size: 13, face: 'strong', width: INNER })
}

/** Longer notes have more lines in smaller type. */
const noteLines = (note: string): number => (note.length < 200 ? 9 : note.length < 450 ? 13 : 20)

const QR = 40 * MM

function drawCode(paper: Paper, { path, email, code, title, day, publicUrl, drawQr }: Look): void {
  const left = PANEL.width + EDGE
  const query = new URLSearchParams({ email, token: code })
  let y = writeLines(paper, title, {
    ...{ x: left, y: 20 * MM, size: 19, face: 'display', width: INNER, most: 3, leading: 1.15 },
  })
  if (day) write(paper, `Yours from ${dayInWords(day)}`, { x: left, y: (y += 3), size: 11, width: INNER })
  y = Math.max(y + 24, 44 * MM)
  drawQr(paper, `${publicUrl}${path}?${query.toString()}`, { x: left, y, width: QR })
  y += QR + 5 * MM
  const lines = [
    'Scan this with a phone. Or log in or join at',
    `${hostOf(publicUrl)}/gifts`,
    'and enter this code:',
  ]
  for (const [place, line] of lines.entries())
    write(paper, line, {
      ...{ x: left, y: y + place * 14, size: 10.5, face: place === 1 ? 'strong' : 'text', width: INNER },
    })
  y += 48
  paper.rect(left, y, INNER, 11 * MM).fill('#ECEDE8')
  write(paper, code, {
    ...{ x: left + INNER / 2, y: y + 6, size: 15, face: 'strong', colour: '#000000' },
    ...{ align: 'centre', spacing: 1, width: INNER - 12 },
  })
  write(paper, `For ${email}`, { x: left, y: y + 11 * MM + 8, size: 9.5, width: INNER })
}

const hostOf = (publicUrl: string): string => publicUrl.replace(/^https?:\/\//, '')

/** Short marks at the paper's edges. */
function drawFolds(paper: Paper): void {
  const mark = 4 * MM
  paper.lineWidth(0.25).strokeColor('#9A968E')
  for (const x of [0, A4.width - mark]) paper.moveTo(x, PANEL.height).lineTo(x + mark, PANEL.height)
  for (const y of [0, A4.height - mark]) paper.moveTo(PANEL.width, y).lineTo(PANEL.width, y + mark)
  paper.stroke()
}
