import { CHECK_AFTER_MS } from './model.ts'

/**
 * Keeps a gift's message each time its writer rests, and when its field is left: a tab may be closed without leaving
 * any field. A message that could not be kept is tried again the next time.
 */
export function messageDraft(kept: string, save: (message: string) => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let known = kept
  let text = kept

  const keep = () => {
    clearTimeout(timer)
    if (text === known) return
    const before = known
    const mine = (known = text)
    save(mine).catch(() => {
      if (known === mine) known = before
    })
  }
  return {
    typed(message: string) {
      text = message
      clearTimeout(timer)
      timer = setTimeout(keep, CHECK_AFTER_MS)
    },
    keep,
    forget: () => {
      clearTimeout(timer)
      known = text = ''
    },
  }
}
