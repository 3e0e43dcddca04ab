import { useEffect, useRef, useState } from 'react'
import { thePlayer } from '#features/player/lazy.ts'
import { previewPlace } from '#features/player/preview.ts'
import type { KeptBookmark } from './model.ts'

/** Somebody bookmarks at the end of a sentence, or at its beginning: both are heard. */
const AFTER_SECONDS = 10

/** A few seconds around a bookmark, on an element of their own: the book's place does not move. */
export function usePreview(): { heard: string | undefined; toggle: (kept: KeptBookmark) => void } {
  const [heard, setHeard] = useState<string>()
  const stop = useRef<() => void>(undefined)
  // Heard on after its list is gone, it could not be ended.
  useEffect(() => () => stop.current?.(), [])
  const begin = async ({ id, slug, mark }: KeptBookmark) => {
    // In the press itself.
    const audio = new Audio()
    const onEnd = () => setHeard((now) => (now === id ? undefined : now))
    stop.current = previewPlace(
      await thePlayer(),
      { slug, place: mark, onEnd, afterSeconds: AFTER_SECONDS },
      audio,
    )
    setHeard(id)
  }
  return {
    heard,
    toggle(kept) {
      if (heard === kept.id) stop.current?.()
      else void begin(kept)
    },
  }
}
