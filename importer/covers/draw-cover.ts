import { hex } from '#server/colour.ts'
import { type CompositionName, COMPOSITIONS, compositionsFor, type Subject } from './choose-composition.ts'
import { n, type Sheet } from './composition.ts'
import { newsreader } from './letters.ts'
import { paletteOf, type TitleColours } from './palette.ts'
import { hash32, randomOf } from './random.ts'
import { setType } from './set-type.ts'

export interface CoverOf extends Subject {
  readonly author: string
  readonly colours: TitleColours
  readonly format: 'audio_book' | 'e_book'
  readonly composition?: CompositionName | undefined
}

const SPINE = 14

/** docs/design.md, Covers. The same input gives the same bytes. */
export const cover = (title: CoverOf): string => drawn(title).whole

/** Shown instead of the cover below 96 px, without type. */
export const thumbnail = (title: CoverOf): string => drawn(title).part

function drawn(title: CoverOf): { whole: string; part: string } {
  const composition = COMPOSITIONS[title.composition ?? compositionsFor(title)[0]!]
  const sheet = sheetOf(title)
  const { width, height, left, palette } = sheet
  const type = setType(title.title, title.author, composition.rooms(sheet))
  const { art, crop } = composition.draw(sheet, type.box)
  const ground = `<path fill="${hex(palette.ground)}" d="M0 0h${width}v${height}H0z"/>`
  const spine = left > 0 ? `<path fill="${hex(palette.accent)}" d="M0 0h${left}v${height}H0z"/>` : ''
  const { x, y, size } = crop
  return {
    whole: svg(
      `0 0 ${width} ${height}`,
      width,
      height,
      `${ground}${art}${spine}<path d="${type.path}" fill="${hex(palette.text)}"/>`,
    ),
    part: svg(`${n(x)} ${n(y)} ${n(size)} ${n(size)}`, size, size, ground + art),
  }
}

function sheetOf({ slug, title, colours, format }: CoverOf): Sheet {
  const seed = hash32(slug)
  return {
    width: 600,
    height: format === 'e_book' ? 900 : 600,
    left: format === 'e_book' ? SPINE : 0,
    palette: paletteOf(colours),
    random: randomOf(seed),
    letter: letterOf(title),
    id: `w${seed}`,
  }
}

/** "A Field Guide" gives F. */
function letterOf(title: string): string {
  const words = newsreader().settable(title).split(' ')
  const word =
    words.find((each) => !/^(?:an?|the)$/i.test(each) && /[\p{L}\p{N}]/u.test(each)) ?? words[0] ?? ''
  return (/[\p{L}\p{N}]/u.exec(word)?.[0] ?? '').toUpperCase()
}

const svg = (viewBox: string, width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${n(width)}" height="${n(height)}">${content}</svg>`
