import { plural } from '#format/plural.ts'

export interface Look {
  readonly flow: 'paged' | 'scrolled'
  readonly typeSize: number
  readonly colours: Colours
  readonly typeface: Typeface
  readonly margins: Margins
  readonly spacing: Spacing
  /** Text alignment; `book`: the EPUB's own. */
  readonly align: Align
  /** How much the page is dimmed, in percent. */
  readonly dim: (typeof DIMS)[number]
}

/** `book`: the EPUB's own. */
const SPACINGS = ['book', 'tight', 'open'] as const
export type Spacing = (typeof SPACINGS)[number]
const ALIGNS = ['book', 'left', 'justify'] as const
type Align = (typeof ALIGNS)[number]
/** Text and paper darken alike, so the contrast stays at least 4.5:1 in every colour scheme. */
export const DIMS = [0, 20, 40] as const

/** `book`: the EPUB's own. */
export const TYPEFACES = ['book', 'newsreader', 'sans', 'wide'] as const
export type Typeface = (typeof TYPEFACES)[number]
export const MARGINS = ['narrow', 'usual', 'wide'] as const
export type Margins = (typeof MARGINS)[number]

/** `app`: light or dark, like the rest of the app. */
export type Colours = 'app' | Scheme
export type Scheme = 'light' | 'dark' | 'sepia'

export const TYPE_SIZES = [14, 16, 18, 20, 23, 26, 30, 35, 40] as const
export const USUAL_LOOK: Look = {
  flow: 'paged',
  typeSize: 18,
  colours: 'app',
  typeface: 'book',
  margins: 'usual',
  spacing: 'book',
  align: 'book',
  dim: 0,
}

/** The next size up or down; unchanged at either end. */
export function stepSize(size: number, step: 1 | -1): number {
  const at = TYPE_SIZES.findIndex((each) => each >= size)
  const index = at < 0 ? TYPE_SIZES.length - 1 : at
  return TYPE_SIZES[Math.min(TYPE_SIZES.length - 1, Math.max(0, index + step))] ?? size
}

/** Reads stored settings of any release, and ignores unknown values. */
export function lookFrom(stored: unknown): Look {
  const given: { readonly [K in keyof Look]?: unknown } = stored ?? {}
  return {
    flow: given.flow === 'scrolled' ? 'scrolled' : 'paged',
    typeSize: TYPE_SIZES.find((size) => size === given.typeSize) ?? USUAL_LOOK.typeSize,
    colours: COLOURS.find((colours) => colours === given.colours) ?? 'app',
    typeface: TYPEFACES.find((typeface) => typeface === given.typeface) ?? 'book',
    margins: MARGINS.find((margins) => margins === given.margins) ?? 'usual',
    spacing: SPACINGS.find((spacing) => spacing === given.spacing) ?? 'book',
    align: ALIGNS.find((align) => align === given.align) ?? 'book',
    dim: DIMS.find((dim) => dim === given.dim) ?? 0,
  }
}

const COLOURS: readonly Colours[] = ['app', 'light', 'dark', 'sepia']

export interface ReadingPosition {
  readonly locator: string
  /** From 0 to 1. */
  readonly share: number
  /** The current page and page count of this chapter; undefined while it is scrolled. */
  readonly turned: { readonly page: number; readonly pages: number } | undefined
  readonly chapter: string
  readonly chapterHref: string | null
  /** Minutes left in this section at a steady reading speed. */
  readonly minutesLeft: number
}

export const leftWords = ({ minutesLeft }: Pick<ReadingPosition, 'minutesLeft'>): string => {
  const minutes = Math.ceil(minutesLeft)
  if (minutes < 1) return 'The end of this chapter'
  return `About ${plural(minutes, 'minute')} left in this chapter`
}

/**
 * "13% · 5 pages left in this chapter". These are the screen's pages and not a printed book's: their number
 * depends on the type size.
 */
export function spotWords({ turned, share }: Pick<ReadingPosition, 'turned' | 'share'>): string {
  const percent = `${Math.round(share * 100)}%`
  if (!turned) return percent
  const left = turned.pages - turned.page
  return `${percent} · ${left > 0 ? `${plural(left, 'page')} left in this chapter` : 'last page of this chapter'}`
}

export interface ContentsEntry {
  readonly label: string
  readonly href: string
  /** 0 for a chapter, 1 for its subentries. */
  readonly depth: number
}

interface TocItem {
  readonly label: string | null
  readonly href: string | null
  readonly subitems?: readonly TocItem[] | null
}

/** The table of contents as lines; entries without a link only group others. */
export const contentsOf = (toc: readonly TocItem[] = [], depth = 0): ContentsEntry[] =>
  toc.flatMap(({ label, href, subitems }) => [
    ...(href ? [{ label: label?.trim() || 'Untitled', href, depth }] : []),
    ...contentsOf(subitems ?? [], depth + 1),
  ])

export type Turn = 'left' | 'right' | 'next' | 'previous' | 'first' | 'last' | 'up' | 'down' | 'close'

const KEYS: Readonly<Record<string, Turn>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'previous',
  PageDown: 'next',
  Home: 'first',
  End: 'last',
  Escape: 'close',
}

/** The action of a key in the book; undefined if the browser uses it. */
export function turnFor(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>) {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined
  if (event.key === ' ') return event.shiftKey ? 'previous' : 'next'
  // Shift with an arrow key selects text.
  return event.shiftKey ? undefined : KEYS[event.key]
}

/** The margins above and below a paged book are this high, so that the bars hide no text. */
export const BAR_PX = 60

/**
 * A tap at the left or right edge turns the page. In the middle, and at the top where the bar is, it shows
 * the top bar: closing, contents and text size are never more than a tap away.
 */
export function tapZone({ x, y }: { x: number; y: number }, width: number): 'left' | 'middle' | 'right' {
  if (y < BAR_PX) return 'middle'
  if (x < width * 0.28) return 'left'
  return x > width * 0.72 ? 'right' : 'middle'
}

export interface FoundWords {
  readonly locator: string
  /** The chapter's title in the contents. */
  readonly chapter: string
  readonly before: string
  readonly words: string
  readonly after: string
}

/** More than a reader will look through: a more specific search is quicker. */
export const FOUND_AT_MOST = 200
