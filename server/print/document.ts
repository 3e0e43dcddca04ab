import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'

export type Paper = InstanceType<typeof PDFDocument>
export type Weight = 400 | 600

/** A millimetre in the points that a document counts in. */
export const MM = 72 / 25.4

/** The subsets are files of their own; a letter comes from the first that has it. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const

/** A document with the house's letters, to be piped somewhere; without a page yet. */
export function openPaper(title: string): Paper {
  const paper = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: title } })
  const find = createRequire(import.meta.url).resolve
  for (const weight of [400, 600] as const)
    for (const subset of SUBSETS)
      paper.registerFont(
        `${subset}-${weight}`,
        find(`@fontsource/source-sans-3/files/source-sans-3-${subset}-${weight}-normal.woff`),
      )
  return paper
}

interface Written {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly weight?: Weight
  readonly colour?: string
  /** At most so wide; what is wider is written smaller. */
  readonly width?: number
  readonly align?: 'left' | 'right'
}

/** One line of text, letter by letter from the subset that has it; a letter that no subset has is left out. */
export function write(
  paper: Paper,
  text: string,
  { x, y, size, weight = 400, colour = '#1C1A17', width, align = 'left' }: Written,
): void {
  const runs = runsOf(paper, text, weight)
  const widthAt = (fontSize: number) =>
    runs.reduce((sum, run) => sum + paper.font(run.font).fontSize(fontSize).widthOfString(run.text), 0)
  const wanted = widthAt(size)
  const fitting = width !== undefined && wanted > width ? (size * width) / wanted : size
  let at = align === 'right' ? x - widthAt(fitting) : x
  paper.fillColor(colour)
  for (const run of runs) {
    paper.font(run.font).fontSize(fitting).text(run.text, at, y, { lineBreak: false })
    at += paper.widthOfString(run.text)
  }
}

interface Run {
  readonly font: string
  text: string
}

function runsOf(paper: Paper, text: string, weight: Weight): Run[] {
  const runs: Run[] = []
  for (const letter of text) {
    const font = SUBSETS.map((subset) => `${subset}-${weight}`).find((name) => hasLetter(paper, name, letter))
    if (font === undefined) continue
    const last = runs.at(-1)
    if (last?.font === font) last.text += letter
    else runs.push({ font, text: letter })
  }
  return runs
}

const known = new Map<string, boolean>()

function hasLetter(paper: Paper, font: string, letter: string): boolean {
  const key = font + letter
  const before = known.get(key)
  if (before !== undefined) return before
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types leave out the font that is being written with
  const { _font: open } = paper.font(font) as unknown as {
    _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } }
  }
  const has = open.font.hasGlyphForCodePoint(letter.codePointAt(0)!)
  known.set(key, has)
  return has
}
