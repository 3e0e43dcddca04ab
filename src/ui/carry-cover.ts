type Place = 'book-cover' | 'player-cover'

/**
 * The style of a cover that moves, or to which one moves, in a view transition. Not in a stylesheet: CSS modules would
 * give the name a prefix, another one in each.
 */
export const coverPlace = (viewTransitionName: Place) => ({ viewTransitionName })

/** Before a view transition: `cover` will move to that place. Two covers with one name would cancel it. */
export function carryCover(place: Place, cover: Element | null): void {
  for (const named of document.querySelectorAll<HTMLElement>(`[style*="${place}"]`))
    named.style.removeProperty('view-transition-name')
  if (cover instanceof HTMLElement) cover.style.setProperty('view-transition-name', place)
}
