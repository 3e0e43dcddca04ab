/** Pages in the background are not painted. */
const LONGEST_FRAME_MS = 100

/** Waits until the browser has painted, so that a press shows before the work that it causes begins. */
export const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_FRAME_MS)
  })
