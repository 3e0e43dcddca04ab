declare global {
  interface Window {
    /** Set by index.html, which keeps what is pressed until this room is there. */
    storePress?: (event: MouseEvent) => void
    storedPress?: HTMLElement
  }
}

/**
 * On a slow phone a page shows seconds before its code runs: buttons pressed in between are answered now. Links
 * need no code. Call it once React listens.
 */
export function answerEarlyPress(): void {
  removeEventListener('click', window.storePress!, true)
  window.storedPress?.click()
}
