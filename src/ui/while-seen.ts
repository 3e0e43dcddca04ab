/**
 * Runs `begin` while this page is visible, and the function it returned when the page is hidden: visual
 * updates would waste the battery of a phone in a pocket. The returned function stops it for good.
 */
export function whileSeen(begin: () => () => void): () => void {
  let end: (() => void) | undefined
  const look = () => {
    if (document.visibilityState === 'hidden') {
      end?.()
      end = undefined
    } else end ??= begin()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    end?.()
    end = undefined
  }
}
