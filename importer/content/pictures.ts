import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { coloursFor, type TitleColours } from '../covers/palette.ts'
import { coverId, type CoverSource } from '../covers/render.ts'
import { ImportRefused } from '../refused.ts'
import { drawing, type DrawingName, DRAWINGS, portrait } from './drawing.ts'
import { besides } from './files.ts'

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

/**
 * The owner's picture next to `file`, or in a folder below.
 *
 * @throws `ImportRefused` if the picture is missing or unreadable
 */
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
