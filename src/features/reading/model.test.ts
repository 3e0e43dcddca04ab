import { expect, test } from 'vitest'
import { contrastOf } from '#ui/title-theme.ts'
import { COLOURS } from './spoken-mark.ts'
import {
  contentsOf,
  type Look,
  leftWords,
  lookFrom,
  MARGINS,
  spotWords,
  stepSize,
  tapZone,
  turnFor,
  TYPE_SIZES,
  TYPEFACES,
  USUAL_LOOK,
} from './model.ts'
import { bookStyles, MARGINS_AS_DRAWN, PAPERS } from './book-styles.ts'

const key = (name: string, more = {}) =>
  turnFor({ key: name, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more })

test('the type size changes in steps and stops at the ends', () => {
  expect(stepSize(18, 1)).toBe(20)
  expect(stepSize(18, -1)).toBe(16)
  expect(stepSize(TYPE_SIZES[0], -1)).toBe(TYPE_SIZES[0])
  expect(stepSize(40, 1)).toBe(40)
  expect(stepSize(19, 1)).toBe(23)
})

test('invalid stored settings, also of another release, fall back to the defaults', () => {
  expect(lookFrom(undefined)).toEqual(USUAL_LOOK)
  expect(lookFrom({ flow: 'scrolled', typeSize: 17, colours: 'green' })).toEqual({
    ...USUAL_LOOK,
    flow: 'scrolled',
  })
  expect(lookFrom({ flow: 'paged', typeSize: 26, colours: 'sepia' })).toMatchObject({
    typeSize: 26,
    colours: 'sepia',
  })
})

test('listening: four typefaces and several margins override the book’s own styles', () => {
  expect(TYPEFACES).toHaveLength(4)
  expect(lookFrom({ typeface: 'sans', margins: 'wide' })).toMatchObject({ typeface: 'sans', margins: 'wide' })
  expect(lookFrom({ typeface: 'comic', margins: 3 })).toEqual(USUAL_LOOK)
  const chosen = { spacing: 'open', align: 'justify', dim: 40 }
  expect(lookFrom(chosen)).toMatchObject(chosen)
  expect(lookFrom({ spacing: 2, align: 'centre', dim: 90 })).toEqual(USUAL_LOOK)
  const styles = bookStyles({ ...USUAL_LOOK, spacing: 'open', align: 'justify' }, 'light')
  expect(styles).toContain('line-height: 1.9 !important')
  expect(styles).toContain('text-align: justify !important')
  expect(bookStyles(USUAL_LOOK, 'light')).not.toMatch(/(?:line-height|text-align): [^;]+ !important/)
  const family = (typeface: Look['typeface']) =>
    /font-family: ([^;]+) !important/.exec(bookStyles({ ...USUAL_LOOK, typeface }, 'light'))?.[1]
  expect(TYPEFACES.map(family)).toEqual([
    undefined,
    expect.stringContaining('Shop Reading'),
    expect.stringContaining('Shop Sans'),
    expect.stringContaining('Verdana'),
  ])
  const widths = MARGINS.map((margins) => MARGINS_AS_DRAWN[margins].ems)
  expect(widths).toEqual(widths.toSorted((a, b) => b - a))
})

test('listening: the time left in a chapter is shown in minutes', () => {
  expect([3.2, 0.4, 0].map((minutesLeft) => leftWords({ minutesLeft }))).toEqual([
    'About 4 minutes left in this chapter',
    'About 1 minute left in this chapter',
    'The end of this chapter',
  ])
})

test('keys turn pages, but not where they belong to the browser', () => {
  expect([key('ArrowRight'), key('PageUp'), key(' '), key('Escape')]).toEqual([
    'right',
    'previous',
    'next',
    'close',
  ])
  expect(key(' ', { shiftKey: true })).toBe('previous')
  expect(key('ArrowRight', { shiftKey: true })).toBeUndefined()
  expect(key('ArrowLeft', { altKey: true })).toBeUndefined()
  expect(key('a')).toBeUndefined()
})

test('the edges of the page turn it, the middle does not', () => {
  const zones = (y: number, width: number) =>
    [0.05, 0.5, 0.95].map((share) => tapZone({ x: share * width, y }, width))
  expect(zones(400, 390)).toEqual(['left', 'middle', 'right'])
  expect(zones(200, 844)).toEqual(['left', 'middle', 'right'])
  // The bar's height: a tap near a hidden button shows the bar.
  expect(zones(28, 390)).toEqual(['middle', 'middle', 'middle'])
})

test('the contents become lines; a group without an address contributes only its entries', () => {
  const toc = [
    { label: ' One ', href: 'a.xhtml' },
    { label: 'Part', href: null, subitems: [{ label: null, href: 'b.xhtml' }] },
  ]
  expect(contentsOf(toc)).toEqual([
    { label: 'One', href: 'a.xhtml', depth: 0 },
    { label: 'Untitled', href: 'b.xhtml', depth: 1 },
  ])
})

test('the counter shows the share of the book and the screens left in this chapter; scrolled, only the share', () => {
  expect(spotWords({ turned: { page: 2, pages: 7 }, share: 0.127 })).toBe(
    '13% · 5 pages left in this chapter',
  )
  expect(spotWords({ turned: { page: 1, pages: 1 }, share: 0.11 })).toBe('11% · last page of this chapter')
  expect(spotWords({ turned: undefined, share: 0.127 })).toBe('13%')
})

test('in step: words on the mark of the spoken sentence keep a contrast of 7, and the bar beside it of 3, on every paper', () => {
  for (const scheme of ['light', 'dark', 'sepia'] as const) {
    const { paper, ink } = PAPERS[scheme]
    const { mark, bar, blend } = COLOURS[scheme]
    const [ground, words] = [paper, ink].map((colour) => blended(colour, mark, blend))
    expect(contrastOf(ground!, words!), scheme).toBeGreaterThanOrEqual(7)
    expect(contrastOf(bar, paper), scheme).toBeGreaterThanOrEqual(3)
  }
})

/** As `mix-blend-mode` does it. */
function blended(under: string, over: string, mode: string): string {
  const channels = [1, 3, 5].map((at) => {
    const [one, other] = [under, over].map((colour) => parseInt(colour.slice(at, at + 2), 16) / 255)
    const share = mode === 'multiply' ? one! * other! : 1 - (1 - one!) * (1 - other!)
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}

test('text, muted text and links have a contrast of at least 4.5 on every paper', () => {
  for (const [name, { paper, ink, quiet, accent }] of Object.entries(PAPERS))
    for (const colour of [ink, quiet, accent])
      expect(contrastOf(paper, colour), `${name} ${colour}`).toBeGreaterThanOrEqual(4.5)
  expect(bookStyles({ ...USUAL_LOOK, typeSize: 23 }, 'sepia')).toContain('font-size: 23px')
})
