import { chapterAfter, type Playable } from './model.ts'
import type { PlayerPorts, Sound } from './ports.ts'

const CHAPTERS_AHEAD = 2

export interface Ahead {
  /** Requests the next chapter's address. `soon`: it will be needed within seconds. */
  look: (title: Playable, chapter: number, soon?: boolean) => void
  /** Stores the next chapters, once per playing chapter (PLAY-08). */
  fetch: (title: Playable, chapter: number) => void
  /** Returns the chapter's address, if known, and removes it. */
  take: (chapter: number) => Sound | undefined
  forget: () => void
}

/** Requests the next chapter's address before it is needed, and stores that chapter if possible. */
export function lookAhead(
  ports: Pick<PlayerPorts, 'soundFor' | 'prefetch' | 'warm'>,
  onStored: () => void,
): Ahead {
  let known: { chapter: number; sound: Sound } | undefined
  let fetchedFor: Playable | undefined
  let fetchedAfter: number | undefined
  let attempt = 0

  const look = (title: Playable, chapter: number, soon = false) => {
    const next = chapterAfter(title.chapters, chapter)?.number
    if (next === undefined) return
    const mine = ++attempt
    void ask(ports, title, next).then((sound) => {
      if (mine !== attempt) return
      known = sound && { chapter: next, sound }
      /**
       * A service worker stops after 30 s without a request; starting it takes longer than the chapter
       * change.
       */
      if (soon && sound?.stored) ports.warm?.(sound)
    })
  }

  return {
    look,
    fetch(title, chapter) {
      if (fetchedFor === title && fetchedAfter === chapter) return
      fetchedFor = title
      fetchedAfter = chapter
      look(title, chapter)
      const from = title.chapters.findIndex(({ number }) => number === chapter) + 1
      const wanted = title.chapters.slice(from, from + CHAPTERS_AHEAD).map(({ number }) => number)
      if (title.kind !== 'book' || wanted.length === 0) return
      ports.prefetch(title.slug, wanted).then(onStored, () => undefined)
    },
    take(chapter) {
      const sound = known?.chapter === chapter ? known.sound : undefined
      known = undefined
      return sound
    },
    forget() {
      attempt += 1
      known = undefined
      fetchedFor = undefined
    },
  }
}

async function ask(ports: Pick<PlayerPorts, 'soundFor'>, title: Playable, chapter: number) {
  try {
    return await ports.soundFor(title, chapter, { fresh: false })
  } catch {
    return undefined
  }
}
