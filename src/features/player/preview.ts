import type { ChapterSeconds } from '#storage/place.ts'
import { sameTitle } from './model.ts'
import { type RunningPlayer, wantsSound } from './store.ts'

/** Long enough to recognise a sentence. */
const PREVIEW_SECONDS = 5

let running: (() => void) | undefined

/**
 * Plays the last five seconds before a place, and `afterSeconds` after it. The book pauses meanwhile. The
 * preview has its own audio element, so the book's place does not move and nothing is recorded.
 *
 * Must be called inside the press. `onEnd` is called once, even if there was nothing to play.
 *
 * @returns a function that stops the preview
 */
export function previewPlace(
  { engine, ports }: Pick<RunningPlayer, 'engine' | 'ports'>,
  {
    slug,
    place,
    onEnd,
    afterSeconds = 0,
  }: { slug: string; place: ChapterSeconds; onEnd: () => void; afterSeconds?: number },
  audio: HTMLAudioElement = new Audio(),
): () => void {
  running?.()
  const resumes = wantsSound(engine.state())
  if (resumes) engine.pause()
  let ended = false
  const stop = () => {
    if (ended) return
    ended = true
    running = undefined
    stopListening()
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
    if (resumes && !wantsSound(engine.state())) engine.play()
    onEnd()
  }
  // Pressing play during the preview plays the book instead.
  const stopListening = engine.on('play', stop)
  running = stop

  const from = Math.max(0, place.seconds - PREVIEW_SECONDS)
  audio.addEventListener('loadedmetadata', () => void (audio.currentTime = from))
  audio.addEventListener('timeupdate', () => {
    if (audio.currentTime >= from + PREVIEW_SECONDS + afterSeconds) stop()
  })
  audio.addEventListener('ended', stop)
  audio.addEventListener('error', stop)
  const book = { slug, kind: 'book' } as const
  const { title } = engine.state()
  const previewed = title && sameTitle(title, book) ? title : book
  void Promise.resolve(ports.soundFor(previewed, place.chapter, { fresh: false }))
    .then((sound) => {
      if (ended) return
      if (!sound) return stop()
      audio.src = sound.url
      audio.volume = engine.state().volume
      return audio.play()
    })
    .catch(stop)
  return stop
}
