import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { announce } from '#ui/announce.ts'

/** After a change of screen focus goes to its heading, which says where we are; without one the title is said. */
export function RouteAnnouncer() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The first page has the browser's own focus, and a filter's change must not take it from the filter.
        if (!fromLocation || !pathChanged) return
        const heading = document.querySelector<HTMLElement>('main h1')
        if (!heading) return announce(document.title)
        heading.tabIndex = -1
        // The router restores the scroll position itself.
        heading.focus({ preventScroll: true })
      }),
    [router],
  )
  return null
}
