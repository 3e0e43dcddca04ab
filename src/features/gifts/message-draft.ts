import { CHECK_AFTER_MS } from './model.ts'

/**
 * Keeps a gift's message each time its writer rests, and when its field is left: a tab may be closed without leaving
 * any field. A message that could not be kept is tried again the next time.
 */
export function messageDraft(kept: string, save: (message: string) => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let known = kept
  let wish = kept

  const keep = () => {
    clearTimeout(timer)
    if (wish === known) return
    const before = known
    const mine = (known = wish)
    save(mine).catch(() => {
      if (known === mine) known = before
    })
  }
  return {
    typed(message: string) {
      wish = message
      clearTimeout(timer)
      timer = setTimeout(keep, CHECK_AFTER_MS)
    },
    keep,
    forget: () => {
      clearTimeout(timer)
      known = wish = ''
    },
  }
}
