import { chapterAfter } from './model.ts'
import type { Engine } from './engine-interface.ts'
import type { NextPort, NextTitle } from './ports.ts'
import { usePlayer } from './store.ts'

const SECONDS_TO_SAY_NO = 10
/** Requested before the end, so that the answer arrives in time. */
const ASKED_BEFORE_END_SECONDS = 30

interface NextUpNeeds {
  readonly engine: Engine
  readonly port: NextPort
  readonly open: (slug: string) => Promise<unknown>
  /** The sleep timer ends with this chapter. */
  readonly stopsHere: () => boolean
  readonly nowMs: () => number
  /** Announces the next title outside the full player. */
  readonly say: (next: NextTitle, no: () => void) => void
  readonly session: Pick<MediaSession, 'playbackState'> | undefined
}

export interface NextUp {
  no: () => void
  now: () => void
  isCounting: () => boolean
}

/**
 * Plays the next title ten seconds after a book ends. Silent audio plays meanwhile: a locked phone suspends a
 * page that plays nothing, including its timers (trap 6).
 */
export function playOn({ engine, port, open, stopsHere, nowMs, say, session }: NextUpNeeds): NextUp {
  let asked: { readonly slug: string; readonly answer: Promise<NextTitle | undefined> } | undefined
  let stopped = false
  let counting: { readonly next: NextTitle; readonly endsAtMs: number; readonly stop: () => void } | undefined

  const ask = (slug: string) => {
    if (asked?.slug !== slug) asked = { slug, answer: port.after(slug).catch(() => undefined) }
    return asked.answer
  }
  const end = () => {
    const was = counting
    counting = undefined
    was?.stop()
    usePlayer.setState({ nextUp: undefined })
    return was?.next
  }
  const no = () => {
    if (!end()) return
    engine.pause()
    if (session) session.playbackState = 'paused'
  }
  const now = () => {
    const coming = end()
    if (!coming) return
    void open(coming.slug).then(
      () => port.begun(coming),
      () => port.failed(coming),
    )
  }
  const look = () => {
    if (!counting) return
    const secondsLeft = Math.ceil((counting.endsAtMs - nowMs()) / 1000)
    if (secondsLeft <= 0) return now()
    if (usePlayer.getState().nextUp?.secondsLeft !== secondsLeft)
      usePlayer.setState({ nextUp: { ...counting.next, secondsLeft } })
  }
  const begin = (next: NextTitle) => {
    const stopSilence = engine.rest(silence(), look)
    // On a visible page the timer updates the countdown; `look` runs with the silent audio too.
    const timer = setInterval(look, 250)
    const stop = () => {
      clearInterval(timer)
      stopSilence()
    }
    counting = { next, endsAtMs: nowMs() + SECONDS_TO_SAY_NO * 1000, stop }
    if (session) session.playbackState = 'playing'
    look()
    say(next, no)
  }

  engine.on('tick', ({ title, chapter, seconds, duration }) => {
    if (title.kind !== 'book') return
    stopped = stopsHere()
    const isNear = duration - seconds < ASKED_BEFORE_END_SECONDS
    if (isNear && !chapterAfter(title.chapters, chapter)) void ask(title.slug)
  })
  engine.on('ended', ({ title }) => {
    if (title.kind !== 'book' || stopped) return
    void ask(title.slug).then((coming) => {
      asked = undefined
      const { title: current, status } = engine.state()
      if (coming && current === title && status === 'ended') begin(coming)
    })
  })
  // Another action of the listener ends the countdown.
  for (const event of ['play', 'seek', 'load', 'off'] as const) engine.on(event, () => void end())

  return { no, now, isCounting: () => counting !== undefined }
}

const RATE = 8_000
const HEADER_BYTES = 44

let address: string | undefined

/** One second of silence as a file, generated here so that it needs no network. */
export function silence(): string {
  return (address ??= URL.createObjectURL(new Blob([waveFile()], { type: 'audio/wav' })))
}

function waveFile(): ArrayBuffer {
  const file = new ArrayBuffer(HEADER_BYTES + RATE)
  const view = new DataView(file)
  const word = (at: number, letters: string) =>
    Array.from(letters).forEach((letter, index) => view.setUint8(at + index, letter.codePointAt(0)!))
  word(0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + RATE, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  // PCM, one channel, one byte per sample.
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  word(36, 'data')
  view.setUint32(40, RATE, true)
  // 128 is silence in unsigned 8-bit samples.
  new Uint8Array(file, HEADER_BYTES).fill(128)
  return file
}
