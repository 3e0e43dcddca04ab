/**
 * Foliate moves the page into place after every finger that is lifted, for a third of a second. After a tap that is in the
 * way of the turn which the tap asked for, and could undo it. So it learns of those touches alone that moved.
 *
 * @param target what lies around foliate's own listeners: the window of a section, or the element that holds the view
 */
export function onlySwipesSnap(target: Window | HTMLElement, isScrolled: () => boolean): void {
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
