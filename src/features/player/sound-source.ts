import type { Fault } from './engine-interface.ts'
import { unlockSound } from './sound-element.ts'

interface SoundSourceEvents {
  /** About four times a second while playing. */
  progressed: () => void
  sounding: () => void
  /** Playback has stopped for lack of data. */
  starving: () => void
  /** The system stopped the sound: a headset was unplugged, another app took over, or play was refused. */
  halted: () => void
  ended: () => void
  failed: (reason: Fault) => void
}

/** Wraps the audio element: one source, at a place and a speed, with reliable events. */
export interface SoundSource {
  /** Stops the current source, and sets the place for the next one. */
  aim: (seconds: number) => void
  /** Sets `src` before it returns (trap 6); starts at the place of `aim`. */
  open: (source: { url: string; eager: boolean }) => void
  close: () => void
  /** Without a source, the next one plays when it opens. */
  play: () => void
  /** Call inside a press, so that `play` may be called after it (trap 37). */
  unlock: () => void
  pause: () => void
  seek: (seconds: number) => void
  /** Loops audio that is not part of the title, until the returned function is called or a source opens. */
  rest: (url: string, onSound: () => void) => () => void
  /** The target until the element has arrived, then the element's own time. */
  seconds: () => number
  /** Undefined before the element has measured it. */
  duration: () => number | undefined
  buffered: () => number
  setSpeed: (speed: number) => void
  setVolume: (volume: number) => void
  readonly setsVolume: boolean
}

/** A larger step back without a seek is a fault of the element (trap 3). */
const STRAY_SECONDS = 1

export function createSoundSource(audio: HTMLAudioElement, listeners: SoundSourceEvents): SoundSource {
  let url: string | undefined
  let seconds = 0
  let speed = 1
  let wants = false
  /** The element has reached the target; before that, its time is not a place. */
  let landed = false
  let reset = false
  /** Counts sources, so that a late rejection of an earlier one is dropped. */
  let generation = 0

  const measured = () => (url && Number.isFinite(audio.duration) ? audio.duration : undefined)
  const within = (target: number) => Math.min(target, measured() ?? target)

  /** Every new source resets the rate to the default rate (trap 7). */
  const setRate = () => {
    audio.defaultPlaybackRate = speed
    audio.playbackRate = speed
  }

  const put = (source: string) => {
    generation += 1
    url = source
    landed = false
    audio.loop = false
    audio.src = source
    setRate()
  }

  const start = () => {
    const mine = generation
    audio.play().then(
      () => void (reset = false),
      (reason: unknown) => {
        if (mine !== generation || !wants || !url || audio.error) return
        if (reason instanceof Error && reason.name === 'AbortError') return
        if (reset) return halt()
        // After a phone call some elements refuse to play until source and place are set again (trap 8).
        reset = true
        put(url)
        start()
      },
    )
  }

  const halt = () => {
    wants = false
    reset = false
    listeners.halted()
  }

  const fail = (reason: Fault) => {
    url = undefined
    landed = false
    listeners.failed(reason)
  }

  const events = {
    loadedmetadata() {
      if (!url) return
      if (seconds > 0) audio.currentTime = within(seconds)
      else landed = true
    },
    seeked() {
      if (!url || landed || audio.seeking) return
      if (Math.abs(audio.currentTime - within(seconds)) <= STRAY_SECONDS) landed = true
      else fail('seek')
    },
    timeupdate() {
      if (!landed || !wants || audio.paused || audio.seeking) return
      if (audio.currentTime < seconds - STRAY_SECONDS) return fail('seek')
      seconds = audio.currentTime
      listeners.progressed()
    },
    playing() {
      if (wants) listeners.sounding()
    },
    waiting() {
      if (wants && url) listeners.starving()
    },
    pause() {
      // Ignore the pause event at the end of a chapter.
      if (wants && url && audio.paused && !audio.ended) halt()
    },
    ended() {
      if (!wants || !url) return
      seconds = audio.duration
      listeners.ended()
    },
    error() {
      if (url && audio.error) fail('unreachable')
    },
  }
  for (const [kind, listener] of Object.entries(events)) audio.addEventListener(kind, listener)

  return {
    aim(to) {
      generation += 1
      url = undefined
      seconds = to
      audio.pause()
    },
    open(source) {
      audio.preload = source.eager ? 'auto' : 'metadata'
      put(source.url)
      if (wants) start()
    },
    rest(silent, onSound) {
      generation += 1
      const mine = generation
      // Without a url all events of the element are ignored.
      url = undefined
      wants = false
      audio.loop = true
      audio.src = silent
      audio.addEventListener('timeupdate', onSound)
      audio.play().catch(() => undefined)
      return () => {
        audio.removeEventListener('timeupdate', onSound)
        if (mine === generation) audio.pause()
      }
    },
    close() {
      wants = false
      generation += 1
      url = undefined
      seconds = 0
      audio.removeAttribute('src')
      audio.load()
    },
    play() {
      wants = true
      if (url) start()
      else unlockSound(audio)
    },
    unlock: () => unlockSound(audio),
    pause() {
      wants = false
      reset = false
      audio.pause()
    },
    seek(to) {
      seconds = within(to)
      // Before the metadata is loaded, `loadedmetadata` does the seek.
      if (!url || audio.readyState < 1) return
      landed = false
      audio.currentTime = seconds
    },
    seconds: () => seconds,
    duration: measured,
    buffered: () => (url ? bufferedFrom(audio.buffered, seconds) : 0),
    setSpeed(target) {
      speed = target
      setRate()
    },
    setVolume: (volume) => void (audio.volume = volume),
    setsVolume: obeysVolume(audio),
  }
}

/**
 * iOS ignores any volume and stays at 1: only the hardware buttons set it. Web Audio is
 * no alternative: its graph is suspended in the background, and the book with it (trap 8). So test once.
 */
function obeysVolume(audio: HTMLAudioElement): boolean {
  const before = audio.volume
  audio.volume = 0.5
  const obeys = audio.volume === 0.5
  audio.volume = before
  return obeys
}

function bufferedFrom(ranges: TimeRanges, seconds: number): number {
  for (let range = 0; range < ranges.length; range += 1) {
    if (ranges.start(range) <= seconds + 1 && ranges.end(range) >= seconds) return ranges.end(range)
  }
  return 0
}
