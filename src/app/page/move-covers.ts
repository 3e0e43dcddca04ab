import type { AnyRouter } from '@tanstack/react-router'
import { carryCover } from '#ui/carry-cover.ts'

const PAGES = [
  { place: 'book-cover', path: /^\/(?:audiobooks|ebooks)\/[^/]+$/ },
  { place: 'player-cover', path: /^\/player\/[^/]+$/ },
] as const

const placeOn = (path: string) => PAGES.find((page) => page.path.test(path))?.place

/**
 * The cover beside a pressed link moves to its place on the title's page, and back to the link afterwards
 * (docs/design.md, Space and motion).
 */
export function moveCovers(router: AnyRouter): void {
  /** Path of a title's page: path of the page with the link. */
  const openedFrom = new Map<string, string>()
  let pressed: { readonly path: string; readonly cover: Element } | undefined
  let returning: string | undefined
  document.addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
      const cover = link && coverBeside(link)
      pressed = cover ? { path: link.pathname, cover } : undefined
    },
    { capture: true },
  )
  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
    const { path, cover } = pressed ?? {}
    pressed = returning = undefined
    if (!fromLocation || !pathChanged || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const [from, to] = [fromLocation.pathname, toLocation.pathname]
    const place = placeOn(to)
    if (cover && path === to && place) {
      carryCover(place, cover)
      openedFrom.set(to, from)
      router.shouldViewTransition = true
    } else if (openedFrom.get(from) === to) {
      returning = from
      router.shouldViewTransition = true
    }
  })
  // The transition takes its second picture after this event.
  router.subscribe('onRendered', () => {
    if (returning === undefined) return
    const links = document.querySelectorAll<HTMLAnchorElement>(`main a[href="${CSS.escape(returning)}"]`)
    const cover = [...links].map(coverBeside).find((each) => each && isInWindow(each))
    if (cover) carryCover(placeOn(returning)!, cover)
    returning = undefined
  })
}

/** In the link, or the only one in its row. */
function coverBeside(link: Element): Element | undefined {
  const inLink = link.querySelector('picture')
  const inRow = inLink ? [inLink] : (link.closest('li, aside, section')?.querySelectorAll('picture') ?? [])
  return inRow.length === 1 ? (inRow[0]?.parentElement ?? undefined) : undefined
}

function isInWindow(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
}
