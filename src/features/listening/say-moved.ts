import type { AudioBookTime } from '#contract/listening.ts'
import { chapterAt, type Chapter } from '#features/player/model.ts'
import { clock } from '#format/clock.ts'
import { toast } from '#ui/toast.ts'

/** Undo is worth a moment longer than other notices. */
const SHOWN_MS = 10_000

/** "Moved to Lamp forty-one, 2:10, heard on Rosa’s phone." */
export function sayMoved(place: AudioBookTime, chapters: readonly Chapter[], undo: () => void): void {
  const chapter = chapterAt(chapters, place.chapter)?.title ?? `chapter ${place.chapter}`
  const device = place.device?.name ?? 'another device'
  toast(`Moved to ${chapter}, ${clock(place.seconds)}, heard on ${device}.`, {
    action: { label: 'Undo', onPress: undo },
    forMilliseconds: SHOWN_MS,
  })
}

export function sayPlayingElsewhere(deviceName: string | null | undefined, playHere: () => void): void {
  toast(`Playing on ${deviceName ?? 'another device'}. Paused here.`, {
    action: { label: 'Play here instead', onPress: playHere },
    forMilliseconds: SHOWN_MS,
  })
}
