import { newsreader, sourceSans } from './letters.ts'

export interface Room {
  readonly x: number
  readonly width: number
  readonly from: 'top' | 'bottom'
  readonly edge: number
  readonly height: number
  readonly largest: number
}

export interface SetType {
  readonly path: string
  readonly size: number
  readonly lines: readonly string[]
  readonly box: Box
}

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export const SMALLEST = 34
export const MOST_LINES = 5
/** 9 px on a cover that is shown 160 px wide: the smallest that can be read. */
const AUTHOR = 35
const SMALLEST_AUTHOR = 26
const LINE = 1.02
/** A share of the largest size that fits: shrink to this at most to avoid a line with only “of” on it. */
const WORTH_A_LINE = 0.75
/** As a share of the font size. */
const DESCENT = 0.24

/**
 * The first area that is large enough gets the title, in at most five lines. If it does not fit the last area at 34 px,
 * its subtitle is dropped, then its end.
 */
export function setType(title: string, author: string, rooms: readonly Room[]): SetType {
  const settable = newsreader().settable(title)
  for (const room of rooms) {
    const authorLine = fitAuthor(author, room.width)
    const fitted = fitTitle(settable, room, authorLine.text !== '')
    if (fitted) return placed(fitted, authorLine, room)
  }
  const last = rooms.at(-1)!
  const authorLine = fitAuthor(author, last.width)
  const short = /^(.{3,}?)\s*(?::|\s[–—-]\s)/u.exec(settable)?.[1] ?? ''
  const fitted = short ? fitTitle(short, last, authorLine.text !== '') : undefined
  return placed(fitted ?? cutShort(settable, last, authorLine.text !== ''), authorLine, last)
}

interface Fitted {
  readonly size: number
  readonly lines: readonly string[]
}

function placed({ size, lines }: Fitted, author: { text: string; size: number }, room: Room): SetType {
  const display = newsreader()
  const height = heightOf(size, lines.length, author.text !== '')
  const top = room.from === 'top' ? room.edge : room.edge - height
  const firstBaseline = top + display.capHeight * size

  let path = ''
  let widest = 0
  for (const [index, line] of lines.entries()) {
    path += display.outline(line, room.x, firstBaseline + index * LINE * size, size)
    widest = Math.max(widest, display.width(line, size))
  }
  if (author.text) {
    path += sourceSans().outline(author.text, room.x, top + height, author.size)
    widest = Math.max(widest, sourceSans().width(author.text, author.size))
  }
  const hangs = DESCENT * (author.text ? author.size : lines.length > 0 ? size : 0)
  return {
    path,
    size,
    lines,
    box: { left: room.x, right: room.x + widest, top, bottom: top + height + hangs },
  }
}

function fitTitle(title: string, room: Room, hasAuthor: boolean): Fitted | undefined {
  if (!title) return { size: room.largest, lines: [] }
  let largest: Fitted | undefined
  for (let size = room.largest; size >= SMALLEST; size -= 2) {
    if (largest && size < WORTH_A_LINE * largest.size) break
    const fewest = wrap(title, room.width, size)
    if (!fewest || fewest.length > MOST_LINES || heightOf(size, fewest.length, hasAuthor) > room.height)
      continue
    const lines = balance(title, room.width, size, fewest.length) ?? fewest
    largest ??= { size, lines }
    if (!lines.some((line, index) => index > 0 && LEANING.has(line.toLowerCase()))) return { size, lines }
  }
  return largest
}

const heightOf = (size: number, lines: number, hasAuthor: boolean): number =>
  (lines === 0 ? 0 : newsreader().capHeight * size + (lines - 1) * LINE * size) +
  (hasAuthor ? AUTHOR * 1.4 + 0.22 * size : 0)

/** Undefined if a single word is wider than the area. */
function wrap(title: string, width: number, size: number): string[] | undefined {
  const lines: string[] = []
  for (const word of title.split(' ')) {
    if (newsreader().width(word, size) > width) return undefined
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && newsreader().width(longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function balance(title: string, width: number, size: number, count: number): string[] | undefined {
  const words = title.split(' ')
  let best: { lines: string[]; cost: number } | undefined
  const place = (from: number, lines: string[], cost: number) => {
    if (best && cost >= best.cost) return
    if (from === words.length) {
      if (lines.length === count) best = { lines, cost }
      return
    }
    if (lines.length === count) return
    for (let to = from + 1; to <= words.length; to++) {
      const line = words.slice(from, to).join(' ')
      const slack = (width - newsreader().width(line, size)) / width
      if (slack < 0) return
      const leans = to < words.length && LEANING.has(words[to - 1]!.toLowerCase())
      place(to, [...lines, line], cost + slack * slack + (leans ? 0.25 : 0))
    }
  }
  place(0, [], 0)
  return best?.lines
}

const LEANING = new Set([
  'a',
  'an',
  'the',
  'of',
  'at',
  'to',
  'in',
  'on',
  'for',
  'and',
  'or',
  'by',
  'from',
  'with',
  'who',
])

function cutShort(title: string, room: Room, hasAuthor: boolean): Fitted {
  const fits = (text: string) => newsreader().width(text, SMALLEST) <= room.width
  const whole = title.split(' ').flatMap((word) => broken(word, fits))
  const lines = wrap(whole.join(' '), room.width, SMALLEST) ?? whole
  let most = MOST_LINES
  while (most > 1 && heightOf(SMALLEST, most, hasAuthor) > room.height) most--
  if (lines.length <= most) return { size: SMALLEST, lines }
  const kept = lines.slice(0, most)
  let end = kept[most - 1]!
  while (end.includes(' ') && !fits(`${end}…`)) end = end.slice(0, end.lastIndexOf(' '))
  while (end && !fits(`${end}…`)) end = end.slice(0, -1)
  return { size: SMALLEST, lines: [...kept.slice(0, -1), `${end.replace(/[-,;:.]$/, '')}…`] }
}

function broken(word: string, fits: (text: string) => boolean): string[] {
  if (fits(word)) return [word]
  let end = word.length - 1
  while (end > 1 && !fits(`${word.slice(0, end)}-`)) end--
  return [`${word.slice(0, end)}-`, ...broken(word.slice(end), fits)]
}

function fitAuthor(author: string, width: number): { text: string; size: number } {
  const face = sourceSans()
  const text = face.settable(author)
  for (let size = AUTHOR; size >= SMALLEST_AUTHOR; size--)
    if (face.width(text, size) <= width) return { text, size }
  let end = text.length
  while (end > 1 && face.width(`${text.slice(0, end)}…`, SMALLEST_AUTHOR) > width) end--
  return { text: `${text.slice(0, end).trimEnd()}…`, size: SMALLEST_AUTHOR }
}
