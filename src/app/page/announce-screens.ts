import type { AnyRouter } from '@tanstack/react-router'
import { announce } from '#ui/announce.ts'

/**
 * After a navigation, focuses the main heading; without one, announces the title. Also announces
 * it if a menu or dialog was opened during the navigation: taking its focus would close it.
 */
export function announceScreens(router: AnyRouter): void {
  let left: Element | null = null
  router.subscribe('onBeforeNavigate', () => (left = popupInUse()))
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    // The browser handles focus on the first page, and a filter must keep its focus.
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
