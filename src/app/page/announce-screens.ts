import type { AnyRouter } from '@tanstack/react-router'
import { announce } from '#ui/announce.ts'

/**
 * After a change of screen focus goes to its heading, which says where we are; without one the title is said. So it is
 * too where a menu or dialog was opened while the screen was on its way: taking its focus would close it again.
 */
export function announceScreens(router: AnyRouter): void {
  let left: Element | null = null
  router.subscribe('onBeforeNavigate', () => (left = popupInUse()))
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    // The first page has the browser's own focus, and a filter's change must not take it from the filter.
    if (!fromLocation || !pathChanged) return
    const heading = document.querySelector<HTMLElement>('main h1')
    const popup = popupInUse()
    if (!heading || (popup && popup !== left)) return announce(document.title)
    heading.tabIndex = -1
    // The router restores the scroll position itself.
    heading.focus({ preventScroll: true })
  })
}

const popupInUse = () => document.activeElement?.closest('[role="menu"], [role="dialog"]') ?? null
