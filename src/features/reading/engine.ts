import { makeBook, type View, type Renderer } from 'foliate-js/view.js'
import { bookStyles, MARGINS_AS_DRAWN, READING_FACES } from './book-styles.ts'
import { cleanSection } from './clean-section.ts'
import { type ChosenWords, type MarkedWords, markWords } from './marked-words.ts'
import {
  BAR_PX,
  contentsOf,
  type ContentsEntry,
  type FoundWords,
  type Look,
  type Scheme,
  type ReadingPosition,
  type Turn,
  FOUND_AT_MOST,
} from './model.ts'
import { locatorAt, spokenMark, type SpokenMark } from './spoken-mark.ts'
import { searchMatcher } from 'foliate-js/search.js'
import { textWalker } from 'foliate-js/text-walker.js'

export interface EngineEvents {
  /**
   * The shown position has changed; `moved` if the reader went there, false if only type or window changed.
   */
  onSpot: (spot: ReadingPosition, moved: boolean) => void
  /** A tap or click that hit no link and selected no text. */
  onTap: (at: Tap) => void
  onKey: (event: KeyboardEvent) => void
  onPaged: () => void
  onChoose: (words: ChosenWords | undefined) => void
  onHighlight: (locator: string) => void
}

export interface Tap {
  /** In window coordinates (pixels). */
  readonly x: number
  readonly y: number
  /** The CFI of the letter under it. */
  readonly locator?: string | undefined
}

export interface Engine {
  readonly contents: readonly ContentsEntry[]
  turn: (turn: Exclude<Turn, 'close'>) => Promise<void>
  goTo: (href: string) => Promise<void>
  /** Goes to a share of the whole book, 0 to 1. */
  goToShare: (share: number) => Promise<void>
  dress: (look: Look, scheme: Scheme) => void
  readonly marks: MarkedWords
  readonly spoken: SpokenMark
  find: (query: string, onFound: (found: readonly FoundWords[]) => void, signal: AbortSignal) => Promise<void>
  focus: () => void
  close: () => void
}

interface Opening {
  host: HTMLElement
  file: File
  title: string
  look: Look
  scheme: Scheme
  at: { locator: string; share: number } | undefined
}

/** One and a half lines: the distance an arrow key scrolls. */
const SCROLL_STEP_PX = 60
const TURNS_AHEAD = 3

/** Draws a book into `host`. Throws for a file that is not an e-book. */
export async function openEngine(opening: Opening, events: EngineEvents): Promise<Engine> {
  const { host, file, title, at } = opening
  const book = await makeBook(file)
  const styleAddresses: string[] = []
  book.transformTarget?.addEventListener('data', ({ detail }) => {
    if (typeof detail.data === 'string')
      detail.data = cleanSection(detail.data, detail.type, (address) => styleAddresses.push(address))
  })

  const view = document.createElement('foliate-view')
  host.append(view)
  const sheets = new Map<Document, CSSStyleSheet>()
  let { look, scheme } = opening
  let opened = false

  const dress = (doc: Document) => sheets.get(doc)?.replaceSync(bookStyles(look, scheme))
  const arrange = () => {
    const { renderer } = view
    renderer.setAttribute('flow', look.flow === 'scrolled' ? 'scrolled' : 'paginated')
    const { gap, ems } = MARGINS_AS_DRAWN[look.margins]
    renderer.setAttribute('gap', gap)
    renderer.setAttribute('max-inline-size', `${look.typeSize * ems}px`)
  }

  await view.open(book)
  const { renderer } = view
  skipWhileLoading(renderer)
  renderer.setAttribute('margin', `${BAR_PX}px`)
  renderer.toggleAttribute('animated', !matchMedia('(prefers-reduced-motion: reduce)').matches)
  arrange()

  const edges = () =>
    renderer.scrolled
      ? { atHead: renderer.start < 3, atFoot: renderer.viewSize - renderer.end < 3 }
      : undefined
  const push = (way: 'next' | 'previous') => void (way === 'next' ? view.next() : view.prev())
  const onScrolls = onFirstScroll(renderer)
  const isScrolled = () => renderer.scrolled
  turnAtEdges(view, edges, push)
  const marks = markWords(view, events)
  const spoken = spokenMark(view, scheme)
  // Foliate handles the same click after this listener, and only then knows whether a highlight was under it.
  const tapOffHighlights: EngineEvents['onTap'] = (at) =>
    void setTimeout(() => marks.tookTap() || events.onTap(at))
  onScrolls(view)
  onlySwipesSnap(host, isScrolled)

  view.addEventListener('load', ({ detail: { doc, index } }) => {
    // A constructed sheet, because the page's policy blocks inline styles.
    const inside = doc.defaultView
    if (!inside) return
    sheets.clear()
    const sheet = new inside.CSSStyleSheet()
    doc.adoptedStyleSheets.push(sheet)
    sheets.set(doc, sheet)
    dress(doc)
    addFaces(inside)
    /**
     * Foliate measures a section before it sets the page's width, in a frame of whole pixels: if a page is a
     * fraction wider, two columns would first be one.
     */
    if (!renderer.scrolled) doc.documentElement.style.width = `${renderer.size}px`
    inside.frameElement?.setAttribute('title', title)
    listen(doc, { ...events, onTap: tapOffHighlights }, (x, y) => locatorAt(view, doc, index, x, y))
    turnAtEdges(doc, edges, push)
    onScrolls(doc)
    onlySwipesSnap(inside, isScrolled)
  })
  view.addEventListener('external-link', (event) => {
    event.preventDefault()
    const { href } = event.detail
    if (/^https?:/i.test(href)) window.open(href, '_blank', 'noopener,noreferrer')
  })
  // Use the renderer's event, because it has the reason; the view is up to date by then.
  let shown: string | undefined
  renderer.addEventListener('relocate', ({ detail: { reason } }) => {
    const spot = spotOf(view)
    if (!spot) return
    // A finger may move a little without turning a page.
    const hasMoved = spot.locator !== shown
    shown = spot.locator
    if (hasMoved && (reason === 'snap' || reason === 'scroll')) events.onPaged()
    if (isBetweenSections(renderer)) return
    const isOwnMove = reason === 'anchor' || reason === 'selection' || spoken.isBringing()
    events.onSpot(spot, opened && !isOwnMove)
  })
  const tapAround = ({ clientX: x, clientY: y }: MouseEvent) => events.onTap({ x, y })
  host.addEventListener('click', tapAround)

  await goOn(view, at)
  opened = true

  return {
    contents: contentsOf(book.toc),
    turn: oneAfterAnother(async (turn) => {
      const scrolled = look.flow === 'scrolled'
      if (turn === 'first') await view.goToFraction(0)
      else if (turn === 'last') await view.goToFraction(1)
      else if (turn === 'up' || turn === 'down') {
        if (scrolled) await (turn === 'up' ? view.prev(SCROLL_STEP_PX) : view.next(SCROLL_STEP_PX))
      } else if (turn === 'left') await view.goLeft()
      else if (turn === 'right') await view.goRight()
      else await (turn === 'next' ? view.next() : view.prev())
    }),
    async goTo(href) {
      await view.goTo(href)
    },
    goToShare: (share) => view.goToFraction(share),
    dress(nextLook, nextScheme) {
      look = nextLook
      scheme = nextScheme
      for (const doc of sheets.keys()) dress(doc)
      arrange()
      renderer.render()
      spoken.colour(scheme)
    },
    marks,
    spoken,
    find: (query, onFound, signal) => findWords(view, query, onFound, signal),
    focus: () => renderer.focusView(),
    close() {
      host.removeEventListener('click', tapAround)
      try {
        view.close()
      } finally {
        view.remove()
        styleAddresses.forEach((address) => URL.revokeObjectURL(address))
      }
    },
  }
}

/**
 * Foliate also lays out when the window is resized, and fails if the section's document has no body yet. The section is
 * laid out when it has loaded.
 */
function skipWhileLoading(renderer: Renderer): void {
  const render = renderer.render.bind(renderer)
  renderer.render = () => {
    if (renderer.getContents().every(({ doc }) => doc.body)) render()
  }
}

/** Foliate drops a turn that arrives during another one; queue it for quick readers. */
function oneAfterAnother(turnNow: Engine['turn']): Engine['turn'] {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (turn) => {
    // A held key must not continue to turn pages after it is released.
    if (waiting >= TURNS_AHEAD) return
    waiting++
    const mine = last.then(() => turnNow(turn)).finally(() => waiting--)
    last = mine.catch(() => undefined)
    await mine
  }
}

/**
 * Goes to the stored position; if the book has changed since, to the same share of it; else to its beginning.
 */
async function goOn(view: View, at: Opening['at']): Promise<void> {
  if (at) {
    try {
      await view.init({ lastLocation: at.locator })
      if (view.lastLocation) return
    } catch {
      // The locator belongs to another edition.
    }
    return view.goToFraction(at.share)
  }
  await view.init({ showTextStart: true })
}

function spotOf(view: View): ReadingPosition | undefined {
  const { lastLocation } = view
  if (!lastLocation) return undefined
  const { fraction = 0, tocItem, cfi, time } = lastLocation
  const share = isAtFoot(view) ? 1 : Math.min(1, Math.max(0, fraction))
  return {
    locator: cfi,
    share,
    turned: turnedPages(view.renderer),
    chapter: tocItem?.label?.trim() ?? '',
    chapterHref: tocItem?.href ?? null,
    minutesLeft: time?.section ?? 0,
  }
}

/** Foliate adds an empty page before and after each section. */
function turnedPages({ scrolled, page, pages }: View['renderer']): ReadingPosition['turned'] {
  const inSection = Math.max(1, pages - 2)
  return scrolled ? undefined : { page: Math.min(inSection, Math.max(1, page)), pages: inSection }
}

/**
 * On an empty page a turn is still running: the next section is being opened, so this is not a position yet.
 */
const isBetweenSections = ({ scrolled, page, pages }: View['renderer']) =>
  !scrolled && pages > 2 && (page < 1 || page > pages - 2)

/** When scrolled, foliate counts only what is above the window, so its share never reaches the end. */
function isAtFoot({ lastLocation, renderer }: View): boolean {
  const { current = 0, total = 0 } = lastLocation?.section ?? {}
  return renderer.scrolled && current === total - 1 && renderer.viewSize - renderer.end < 3
}

/** Forwards events from the book's own document to the screen. */
function listen(
  doc: Document,
  { onTap, onKey }: EngineEvents,
  locatorUnder: (x: number, y: number) => string | undefined,
): void {
  doc.addEventListener('keydown', onKey)
  doc.addEventListener('click', (event) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the book's own window, whose Element is another
    const target = event.target as Element | null
    if (event.defaultPrevented || target?.closest('a[href], audio, video')) return
    if (!(doc.getSelection()?.isCollapsed ?? true)) return
    const frame = doc.defaultView?.frameElement?.getBoundingClientRect()
    const { clientX: x, clientY: y } = event
    onTap({ x: x + (frame?.left ?? 0), y: y + (frame?.top ?? 0), locator: locatorUnder(x, y) })
  })
}

/** By URL: the fonts that sections have used so far. */
const used = new Map<string, ArrayBuffer>()

/**
 * Adds the app's fonts to a section. A section is a separate document, and a font loaded by URL arrives a
 * moment after the text: the chapter would be laid out twice, often with a different number of pages. So a
 * font that one section has used is passed to the next ones as bytes, which are available at once.
 */
function addFaces(section: Window & Pick<typeof globalThis, 'FontFace'>): void {
  for (const [family, url, how] of READING_FACES) {
    const bytes = used.get(url)
    const face = new section.FontFace(family, bytes ?? `url(${new URL(url, location.href)})`, how)
    section.document.fonts.add(face)
    // The browser loads it only if the text of this section needs it.
    if (!bytes) void face.loaded.then(() => keep(url)).catch(() => undefined)
  }
}

/** From the browser's cache, where it has just been stored. */
async function keep(url: string): Promise<void> {
  const answer = await fetch(url)
  if (answer.ok) used.set(url, await answer.arrayBuffer())
}

/**
 * Searches the whole book, section by section, ignoring case and accents, and reports the hits so far. Ends
 * early when `signal` is aborted. Foliate's own search would frame every hit on the page.
 */
async function findWords(
  view: View,
  query: string,
  onFound: (found: readonly FoundWords[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const found: FoundWords[] = []
  const matches = searchMatcher(textWalker, { defaultLocale: view.language.canonical ?? 'en' })
  for (const [index, section] of view.book.sections.entries()) {
    const doc = await section.createDocument?.()
    if (signal.aborted) return
    if (!doc) continue
    for (const { range, excerpt } of matches(doc, query)) {
      found.push({
        locator: view.getCFI(index, range),
        chapter: view.getProgressOf(index, range).tocItem?.label?.trim() ?? '',
        ...{ before: excerpt.pre, words: excerpt.match, after: excerpt.post },
      })
      if (found.length >= FOUND_AT_MOST) return onFound(found)
    }
    onFound([...found])
  }
}

/** Longer than foliate's own wait for the end of a scroll. */
const TOLD_WITHIN_MS = 400

/**
 * After a jump foliate takes the next scroll for its own and doesn't report its end, so a reader who scrolls
 * once and closes the book would later return to the old position. So follow such a scroll with one of a
 * pixel, which is reported. Call it with the view and every document in it.
 */
function onFirstScroll(renderer: Renderer): (target: Document | HTMLElement) => void {
  let isManual = false
  let timer: ReturnType<typeof setTimeout> | undefined
  renderer.addEventListener('scroll', () => {
    clearTimeout(timer)
    if (!isManual || !renderer.scrolled) return
    timer = setTimeout(() => {
      const isAtFoot = renderer.viewSize - renderer.end < 3
      if (isManual && renderer.isConnected) renderer.containerPosition += isAtFoot ? -1 : 1
    }, TOLD_WITHIN_MS)
  })
  renderer.addEventListener('relocate', ({ detail: { reason } }) => {
    if (reason === 'scroll') isManual = false
  })
  const onManualScroll = () => {
    isManual = true
  }
  return (target) => {
    for (const name of ['wheel', 'touchmove', 'pointerdown'])
      target.addEventListener(name, onManualScroll, { passive: true })
  }
}

/**
 * Foliate snaps the page into place after every touch, for a third of a second. After a tap that interferes
 * with the page turn of the same tap, and could undo it. So foliate receives only touches that moved.
 *
 * @param target an ancestor of foliate's own listeners: a section's window, or the element that holds the
 * view
 */
function onlySwipesSnap(target: Window | HTMLElement, isScrolled: () => boolean): void {
  let hasMoved = false
  const capture = { capture: true, passive: true }
  target.addEventListener('touchstart', () => (hasMoved = false), capture)
  target.addEventListener('touchmove', () => (hasMoved = true), capture)
  target.addEventListener(
    'touchend',
    (event) => {
      if (!hasMoved && !isScrolled()) event.stopPropagation()
    },
    capture,
  )
}

interface Edges {
  readonly atHead: boolean
  readonly atFoot: boolean
}

/** The last notch of a scroll must not also turn the page: the finger or wheel has to push on at the edge. */
const SETTLED_MS = 300
const PUSH_PX = 150
const SWIPE_PX = 60

/**
 * Foliate scrolls one section at a time. Pushing on at its end, by wheel or finger, opens the next section.
 * `edges` returns undefined while the book is not scrolled.
 */
function turnAtEdges(
  target: GlobalEventHandlers,
  edges: () => Edges | undefined,
  turn: (way: 'next' | 'previous') => void,
): void {
  let movedAt = 0
  let pushed = 0
  const onWheel = ({ deltaY, timeStamp }: WheelEvent) => {
    const at = edges()
    if (!at || !(deltaY > 0 ? at.atFoot : at.atHead)) {
      movedAt = timeStamp
      pushed = 0
      return
    }
    if (timeStamp - movedAt < SETTLED_MS) return
    pushed += deltaY
    if (Math.abs(pushed) < PUSH_PX) return
    pushed = 0
    movedAt = timeStamp
    turn(deltaY > 0 ? 'next' : 'previous')
  }

  let touch: (Edges & { y: number }) | undefined
  const onTouchStart = ({ touches }: TouchEvent) => {
    const at = edges()
    touch = at && touches.length === 1 && touches[0] ? { ...at, y: touches[0].screenY } : undefined
  }
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const up = touch && changedTouches[0] ? touch.y - changedTouches[0].screenY : 0
    if (touch?.atFoot && up > SWIPE_PX) turn('next')
    else if (touch?.atHead && up < -SWIPE_PX) turn('previous')
    touch = undefined
  }

  const passive = { passive: true }
  target.addEventListener('wheel', onWheel, passive)
  target.addEventListener('touchstart', onTouchStart, passive)
  target.addEventListener('touchend', onTouchEnd, passive)
}
