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
    const popup = popupInUse()
    if (popup && popup !== left) return announce(document.title)
    void focusHeading().then((isFocused) => {
      if (!isFocused) announce(document.title)
    })
  })
}

/** @returns false if the screen has no main heading, or the focus moves before it appears */
export async function focusHeading(): Promise<boolean> {
  const heading = await headingSoon()
  if (!heading) return false
  heading.tabIndex = -1
  // The router restores the scroll position itself.
  heading.focus({ preventScroll: true })
  return true
}

/** A screen whose code is split shows its heading a moment after it is rendered. */
const HEADING_WITHIN_MS = 3_000

/** Null if there is none, or if the focus moves before it appears. */
async function headingSoon(): Promise<HTMLElement | null> {
  const heading = () => document.querySelector<HTMLElement>('main h1')
  const present = heading()
  if (present) return present
  const focused = document.activeElement
  await new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => heading() && done())
    const done = () => {
      observer.disconnect()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, HEADING_WITHIN_MS)
    observer.observe(document.body, { childList: true, subtree: true })
  })
  return document.activeElement === focused ? heading() : null
}

const popupInUse = () => document.activeElement?.closest('[role="menu"], [role="dialog"]') ?? null
