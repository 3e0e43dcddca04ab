import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { coloursFor, type TitleColours, paletteOf } from '../covers/palette.ts'
import { coverId, type CoverSource } from '../covers/render.ts'
import { ImportRefused } from '../refused.ts'
import { besides } from './files.ts'
import { hex } from '#server/colour.ts'
import type { Composition, Sheet } from '../covers/composition.ts'
import { type CompositionName, COMPOSITION_NAMES, COMPOSITIONS } from '../covers/choose-composition.ts'
import { newsreader } from '../covers/letters.ts'
import { hash32, randomOf } from '../covers/random.ts'

export interface PlannedPicture {
  readonly id: string
  readonly source: CoverSource
  readonly width: number
  readonly height: number
}

/** The box of the large rendition (`covers/render.ts`), in px. */
const WIDEST = 900
const TALLEST = 1800

export function drawnPicture(
  name: DrawingName,
  colours: TitleColours | undefined,
  seed: string,
): PlannedPicture {
  const picture = Buffer.from(drawing(name, colours?.background ? colours : coloursFor(seed), seed))
  return { id: coverId({ picture }), source: { picture }, width: WIDEST, height: (WIDEST * 2) / 3 }
}

export function drawnPortrait(name: string, colours: TitleColours | undefined): PlannedPicture {
  const picture = Buffer.from(portrait(name, colours?.background ? colours : coloursFor(name)))
  return { id: coverId({ picture }), source: { picture }, width: WIDEST, height: WIDEST }
}

/** @throws `ImportRefused` if the picture is missing or unreadable */
export async function picturedFile(file: string, name: string): Promise<PlannedPicture> {
  const picture = await readFile(besides(file, name)).catch(() => {
    throw new ImportRefused(`The picture ${name} is not beside the file.`)
  })
  try {
    const { format, autoOrient: upright } = await sharp(picture, { failOn: 'error' }).metadata()
    const scale = Math.min(format === 'svg' ? Infinity : 1, WIDEST / upright.width, TALLEST / upright.height)
    return {
      id: coverId({ picture }),
      source: { picture },
      width: Math.round(upright.width * scale),
      height: Math.round(upright.height * scale),
    }
  } catch {
    throw new ImportRefused(`The picture ${name} cannot be read.`)
  }
}

/** `picture:flock` selects a drawing; anything else is a file path relative to the Markdown file. */
export async function writtenPicture(
  file: string,
  href: string,
  colours: TitleColours | undefined,
  seed: string,
): Promise<PlannedPicture> {
  const asked = /^picture:(.*)$/.exec(href)?.[1]
  if (asked === undefined) return picturedFile(file, decodeURI(href))
  const name = DRAWINGS.find((each) => each === asked)
  if (!name) throw new ImportRefused(`“${href}” is not a drawing; choose from ${DRAWINGS.join(', ')}.`)
  return drawnPicture(name, colours, `${seed} ${asked}`)
}

/** The compositions of covers, except the one that shows a title's first letter. */
export type DrawingName = Exclude<CompositionName, 'initial'>
export const DRAWINGS = COMPOSITION_NAMES.filter((name) => name !== 'initial')

export const drawingOf = (seed: string): DrawingName => DRAWINGS[hash32(seed) % DRAWINGS.length]!

/** Format 3:2, without type. The same input gives the same bytes. */
export const drawing = (name: DrawingName, colours: TitleColours, seed: string): string =>
  drawn(COMPOSITIONS[name], sheetOf(colours, seed))

export function portrait(name: string, colours: TitleColours): string {
  const { ground, accent } = paletteOf(colours)
  const face = newsreader()
  const letter = face.settable(name).slice(0, 1).toUpperCase()
  const foot = (SQUARE + face.capHeight * LETTER) / 2
  const outline = face.outline(letter, (SQUARE - face.width(letter, LETTER)) / 2, foot, LETTER)
  return svg(SQUARE, SQUARE, hex(ground), `<path d="${outline}" fill="${hex(accent)}"/>`)
}
const SQUARE = 600
const LETTER = 400

const sheetOf = (colours: TitleColours, seed: string): Sheet => ({
  width: 600,
  height: 400,
  left: 0,
  palette: paletteOf(colours),
  random: randomOf(hash32(seed)),
  letter: '',
  id: `w${hash32(seed)}`,
})

function drawn(composition: Composition, sheet: Sheet): string {
  const { width, height, palette } = sheet
  // There is no type: place its box outside the sheet, so that the drawing uses the whole sheet.
  const { art } = composition.draw(sheet, { left: 0, right: 0, top: height + 20, bottom: -20 })
  return svg(width, height, hex(palette.ground), art)
}

const svg = (width: number, height: number, ground: string, art: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
  `<path fill="${ground}" d="M0 0h${width}v${height}H0z"/>${art}</svg>`
