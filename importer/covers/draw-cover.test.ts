import { describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { colourOf, contrast, type Colour } from '#server/colour.ts'
import {
  COMPOSITION_NAMES,
  type CompositionName,
  compositionAfter,
  compositionsFor,
} from './choose-composition.ts'
import { cover, type CoverOf, thumbnail } from './draw-cover.ts'
import { coloursFor, paletteOf } from './palette.ts'
import { MOST_LINES, setType, SMALLEST } from './set-type.ts'

const TITLES: readonly (readonly [title: string, author: string])[] = [
  ['The Salt Ledger', 'Imogen Tarrant'],
  [
    'The Extraordinarily Long and Winding History of the Lamplighters of Sorrel Quay',
    'Edda Marlow, Nadim Okafor',
  ],
  ['Donaudampfschifffahrtsgesellschaftskapitän', 'Ö. Ünal'],
  ['I', 'Jo'],
]
const FORMATS = ['audio_book', 'e_book'] as const

const everyCover: CoverOf[] = COMPOSITION_NAMES.flatMap((composition) =>
  FORMATS.flatMap((format) =>
    TITLES.map(([title, author], index) => {
      const slug = `${composition}-${format}-${index}`
      return { slug, title, author, format, composition, colours: coloursFor(slug) }
    }),
  ),
)

describe('a generated cover', () => {
  test('has the same bytes for the same title', () => {
    for (const title of everyCover) expect(cover(title)).toBe(cover({ ...title }))
    expect(cover(everyCover[0]!)).not.toBe(cover({ ...everyCover[0]!, slug: 'another' }))
  })

  test('is square for an audiobook, and 2:3 with a spine for an e-book', () => {
    const [square, tall] = FORMATS.map((format) => cover({ ...everyCover[0]!, format }))
    expect(square).toContain('viewBox="0 0 600 600"')
    expect(tall).toContain('viewBox="0 0 600 900"')
    expect(tall).toContain('d="M0 0h14v900H0z"')
    expect(square).not.toContain('d="M0 0h14v')
  })

  test('contains its type as outlines only', () => {
    for (const title of everyCover) expect(cover(title)).not.toMatch(/<text|font-/)
  })

  test('never sets type over artwork with too little contrast', async () => {
    for (const title of everyCover) {
      const { type, behind } = apart(cover(title))
      const { text } = paletteOf(title.colours)
      const [letters, drawing] = await Promise.all([pixels(type), pixels(behind)])
      expect(letters.size).toBe(drawing.size)
      let set = 0
      const faint: string[] = []
      for (const [index, shade] of letters) {
        if (shade[0] > 64) continue
        set++
        const ratio = contrast(text, drawing.get(index)!)
        if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} to 1 at pixel ${index}`)
      }
      expect(faint, title.slug).toEqual([])
      expect(set, title.slug).toBeGreaterThan(15)
    }
  })

  test('keeps its type inside the margin of 44', async () => {
    for (const title of everyCover) {
      const letters = await pixels(apart(cover(title)).type)
      const dark = [...letters].filter(([, shade]) => shade[0] < 128).map(([index]) => index)
      const columns = dark.map((index) => index % WIDTH)
      const rows = dark.map((index) => Math.floor(index / WIDTH))
      const [least, most] = [42 / 3, WIDTH - 42 / 3]
      expect(Math.min(...columns), title.slug).toBeGreaterThanOrEqual(least)
      expect(Math.max(...columns), title.slug).toBeLessThanOrEqual(most)
      expect(Math.min(...rows), title.slug).toBeGreaterThanOrEqual(least)
      // Descenders extend below the last baseline.
      expect(Math.max(...rows), title.slug).toBeLessThanOrEqual(letters.size / WIDTH - 36 / 3)
    }
  })

  test('sets a short title large and a long one in at most five lines of 34 px or more', () => {
    const room = { x: 44, width: 512, from: 'top', edge: 44, height: 260, largest: 90 } as const
    expect(setType('The Salt Ledger', 'Imogen Tarrant', [room])).toMatchObject({
      size: 90,
      lines: ['The Salt', 'Ledger'],
    })
    expect(setType('A House of Sundays', '', [room]).lines).toEqual(['A House', 'of Sundays'])
    for (const [title, author] of TITLES) {
      const set = setType(title, author, [room])
      expect(set.size).toBeGreaterThanOrEqual(SMALLEST)
      expect(set.lines.length).toBeLessThanOrEqual(MOST_LINES)
      expect(set.box.right).toBeLessThanOrEqual(556)
    }
    const endless = setType('Word '.repeat(80).trim(), 'Jo', [room])
    expect(endless.lines.length).toBeLessThanOrEqual(MOST_LINES)
    expect(endless.lines.at(-1)).toMatch(/…$/)
  })

  test('draws a thumbnail without type', async () => {
    for (const composition of COMPOSITION_NAMES) {
      const one: CoverOf = { ...everyCover[0]!, composition }
      expect(thumbnail(one)).not.toContain(typeOf(cover(one)))
      const { channels } = await sharp(Buffer.from(thumbnail(one)))
        .resize(48, 48)
        .stats()
      expect(Math.max(...channels.map(({ stdev }) => stdev)), composition).toBeGreaterThan(4)
    }
  })

  test('is readable with any colours the owner may give', () => {
    const parts = [0, 0x40, 0x80, 0xc0, 0xff]
    const all: Colour[] = parts.flatMap((red) =>
      parts.flatMap((green) => parts.map((blue): Colour => [red, green, blue])),
    )
    const code = (colour: Colour) => colour.map((part) => part.toString(16).padStart(2, '0')).join('')
    for (const background of all)
      for (const text of all) {
        const palette = paletteOf({
          background: code(background),
          text: code(text),
          accents: [code(background)],
        })
        expect(contrast(palette.ground, palette.text)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(palette.accent, palette.ground)).toBeGreaterThanOrEqual(1.69)
      }
    expect(paletteOf({ background: 'sea', text: null }).text).toEqual(colourOf('FFFFFF'))
  })
})

describe('the composition of a title', () => {
  const subjects = Array.from({ length: 900 }, (_, index) => ({ slug: `title-${index}`, title: 'Untold' }))

  test.each([
    ['What the Piano Weighed', [], 'strings'],
    ['Untold', ['Railways', 'Brothers'], 'rails'],
    ['Untold', ['Snow', 'Solitude', 'Borders'], 'snow'],
    ['The Lighthouse', ['Fathers'], 'lamp'],
  ])('of “%s” about %j is %s', (title, tags, composition) => {
    expect(compositionsFor({ slug: 'untold', title, tags })[0]).toBe(composition)
  })

  test('is the same for both formats and depends on nothing but the title', () => {
    const [subject] = subjects
    expect(compositionsFor(subject!)).toEqual(compositionsFor({ ...subject! }))
    expect(compositionsFor(subject!)).toHaveLength(COMPOSITION_NAMES.length)
  })

  test('is never that of the neighbour before', () => {
    let before: CompositionName | undefined
    for (const subject of subjects) {
      const composition = compositionAfter(before, subject)
      expect(composition).not.toBe(before)
      before = composition
    }
  })

  test('is any of them if nothing suggests a motif', () => {
    const counts = new Map<CompositionName, number>()
    for (const subject of subjects) {
      const name = compositionsFor(subject)[0]!
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    for (const name of COMPOSITION_NAMES) expect(counts.get(name) ?? 0, name).toBeGreaterThan(20)
  })
})

/** A third of a cover's size: enough to find every stroke. */
const WIDTH = 200

const typeOf = (svg: string): string => /<path d="[^"]*" fill="[^"]*"\/><\/svg>$/.exec(svg)![0]

function apart(svg: string): { type: string; behind: string } {
  const type = typeOf(svg)
  const open = /^<svg[^>]*>/.exec(svg)![0]
  return {
    type: `${open}<path fill="#fff" d="M0 0h600v900H0z"/>${type.replace(/fill="[^"]*"/, 'fill="#000"')}`,
    behind: svg.replace(type, '</svg>'),
  }
}

async function pixels(svg: string): Promise<Map<number, Colour>> {
  const data = await sharp(Buffer.from(svg)).removeAlpha().resize({ width: WIDTH }).raw().toBuffer()
  const found = new Map<number, Colour>()
  for (let index = 0; index < data.length; index += 3)
    found.set(index / 3, [data[index]!, data[index + 1]!, data[index + 2]!])
  return found
}
