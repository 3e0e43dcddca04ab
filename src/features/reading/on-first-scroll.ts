import type { Renderer } from 'foliate-js/view.js'

/** Longer than foliate itself waits for a scroll to end. */
const TOLD_WITHIN_MS = 400

/**
 * After a jump foliate takes the next scroll for its own and does not tell where it ended, so that a reader who
 * scrolls once and closes the book would find the old place. Such a scroll is followed by one of a pixel, which
 * is told. Give it the view and every document in it.
 */
export function onFirstScroll(renderer: Renderer): (target: Document | HTMLElement) => void {
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
