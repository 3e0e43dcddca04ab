/**
 * Runs `begin` while somebody can see this page, and what it returned when the page is hidden: what only shows something
 * costs a phone in a pocket its battery. The returned function ends it for good.
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
