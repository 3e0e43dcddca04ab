/**
 * Loads the italic of the display face after the first view: one word of a headline is not worth
 * 25 kB before the first paint. Call it once, in the browser.
 */
export function loadItalics() {
  const load = () => void import('./italics.css')
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 4_000 })
  else setTimeout(load, 1_500)
}
