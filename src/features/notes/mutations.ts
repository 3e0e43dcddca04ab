import { openedListening } from '#features/listening/lazy.ts'
import { toast } from '#ui/toast.ts'
import type { KeptNote } from './model.ts'

const NOT_KEPT = 'That didn’t save. This device is out of space.'

/** Kept here at once, and sent when somebody answers. */
export const writeNote = (owner: string, kept: KeptNote, note: string): Promise<void> =>
  stored(async () => {
    const marks = await devices()
    if (kept.kind === 'bookmark') await marks.putBookmark(owner, { ...kept.mark, note })
    else await marks.putHighlight(owner, { ...kept.mark, note })
  })

export async function removeNote(owner: string, kept: KeptNote): Promise<void> {
  await stored(async () => {
    const marks = await devices()
    if (kept.kind === 'bookmark') await marks.removeBookmark(owner, kept.id)
    else await marks.removeHighlight(owner, kept.id)
  })
  const words = kept.kind === 'bookmark' ? 'Bookmark removed.' : 'Highlight removed.'
  toast(words, { action: { label: 'Undo', onPress: () => void restore(owner, kept) } })
}

/** Another id: a removed one stays removed, on every device. */
const restore = (owner: string, kept: KeptNote): Promise<void> =>
  stored(async () => {
    const marks = await devices()
    const id = crypto.randomUUID()
    if (kept.kind === 'bookmark') await marks.putBookmark(owner, { ...kept.mark, id })
    else await marks.putHighlight(owner, { ...kept.mark, id })
  })

async function devices() {
  const [bookmarks, highlights] = await Promise.all([
    import('#sync/bookmarks.ts'),
    import('#sync/highlights.ts'),
  ])
  return { ...bookmarks, ...highlights }
}

async function stored(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    toast(NOT_KEPT)
    return
  }
  void openedListening()?.then((listening) => listening.sendNow())
}
